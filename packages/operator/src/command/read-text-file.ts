import { readFile, stat } from 'node:fs/promises';

const MIB = 1024 ** 2;

/** A file that the operator names, if it is no larger than that. Throws, in one line, when there is none. */
export async function readTextFile(file: string, maxMib: number): Promise<string> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new Error(`there is no file ${file}`);
  if (found.size > maxMib * MIB) throw new Error(`${file} is too large (limit: ${maxMib} MiB)`);
  return readFile(file, 'utf8');
}
