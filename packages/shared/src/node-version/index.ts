// Imported first by programs that operators start: an older Node would fail with obscure errors.
import { explainOldNode } from './explain-old-node';

const problem = explainOldNode(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
