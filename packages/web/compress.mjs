// Compresses what was built, so that the gateway sends it without work: `<file>.br` beside each file that gains by it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const DIST = path.join(import.meta.dirname, 'dist');
const COMPRESSED = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt']);

for (const entry of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
  const file = path.join(entry.parentPath, entry.name);
  if (entry.isFile() && COMPRESSED.has(path.extname(file))) {
    const bytes = brotliCompressSync(readFileSync(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
    writeFileSync(`${file}.br`, bytes);
  }
}
