import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-prisma-'));
const file = path.join(folder, 'internal/class.ts');
mkdirSync(path.dirname(file));
afterAll(() => rmSync(folder, { recursive: true }));

function compact(graph: readonly number[]): string {
  const text = Buffer.from(graph).toString('base64url');
  const source = `config.parameterizationSchema = {\n  strings: JSON.parse("[\\"a\\",\\"b\\"]"),\n  graph: "${text}"\n}\n`;
  writeFileSync(file, source);
  const script = path.resolve(__dirname, '../compact-prisma-client.mjs');
  execFileSync(process.execPath, [script, folder], { stdio: 'pipe' });
  return readFileSync(file, 'utf8');
}

/** 2,048 + 1, in bytes of seven bits. */
const SECOND = [0x81, 0x10];
const FIRST = [0x80, 0x10];

test('only positions of names move in a Prisma client', () => {
  const input = [1, 1, 0x05, 0x06, 0x81, 0x01, 2, 7];
  const compacted = compact([1, 1, 1, ...input, 1, 0, 3, 0, 1, 4, 5]);
  const moved = [1, ...SECOND, 0x05, 0x06, 0x81, 0x01, 0x82, 0x10, 7];
  const graph = Buffer.from([1, 1, 1, ...moved, 1, ...FIRST, 3, 0, ...SECOND, 4, 5]).toString('base64url');
  expect(compacted).toContain(`graph: "${graph}"`);
  expect(compacted).toContain(String.raw`[...Array<string>(2048).fill(''), ...JSON.parse("[\"a\",\"b\"]")]`);
});

test('a client of another form is refused', () => {
  expect(() => compact([1, 0, 0, 0, 9])).toThrow('another form');
});
