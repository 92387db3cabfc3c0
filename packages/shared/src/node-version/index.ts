// Imported before everything else by what an operator starts: an older Node fails in riddles.
import { explainOldNode } from './explain-old-node';

const problem = explainOldNode(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
