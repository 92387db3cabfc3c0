// Rewrites a generated Prisma client so that it takes a fraction of the memory: node compact-prisma-client.mjs <folder>.
//
// Prisma keeps the names of all arguments in one list, and for each kind of argument an object whose keys are positions in that
// list. V8 makes such an object an array up to its highest position, mostly holes: 8 MB for realm's 20 tables. Objects whose first
// key is beyond 1,024 become small hash tables instead, so all positions move up by that.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const MOVED_BY = 2_048;

const file = path.join(process.argv[2], 'internal/class.ts');
const STATEMENT =
  /(?<=^config\.parameterizationSchema = )(\{\s*strings: )(JSON\.parse\("(?:[^"\\]|\\.)*"\))(,\s*graph: )"([\w-]*)"/m;

/** Prisma's graph is one number after another; those that are positions in the list move. */
function moveNames(graph) {
  const moved = [];
  let at = 0;

  function read() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = graph[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
  function write(value) {
    for (; value >= 128; value >>>= 7) moved.push((value & 127) | 128);
    moved.push(value);
  }
  const copy = () => write(read());
  const name = () => write(read() + MOVED_BY);
  /** Zero: there is none. */
  const optionalName = () => {
    const value = read();
    write(value === 0 ? 0 : value + MOVED_BY);
  };
  const bytes = (count) => {
    for (let byte = 0; byte < count; byte++) moved.push(graph[at++]);
  };
  const times = (count, work) => {
    for (let turn = 0; turn < count; turn++) work();
  };
  const counted = (work) => {
    const count = read();
    write(count);
    times(count, work);
  };

  const counts = [read(), read(), read()];
  counts.forEach(write);
  const [inputs, outputs, roots] = counts;
  times(inputs, () =>
    counted(() => {
      name();
      bytes(2);
      copy();
      optionalName();
      bytes(1);
    }),
  );
  times(outputs, () =>
    counted(() => {
      name();
      copy();
      copy();
    }),
  );
  times(roots, () => {
    name();
    copy();
    copy();
  });
  if (at !== graph.length)
    throw new Error(`${file}: Prisma's parameterization schema has another form than is known here`);
  return Buffer.from(moved);
}

const source = readFileSync(file, 'utf8');
const compact = source.replace(STATEMENT, (_all, begin, names, middle, graph) => {
  const moved = moveNames(Buffer.from(graph, 'base64url')).toString('base64url');
  return `${begin}[...Array<string>(${MOVED_BY}).fill(''), ...${names}]${middle}"${moved}"`;
});
if (compact === source) throw new Error(`${file} has no parameterization schema`);
writeFileSync(file, compact);
