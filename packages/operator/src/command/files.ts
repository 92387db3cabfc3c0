import { randomUUID } from 'node:crypto';
import { access, link, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';

/** The name of an unfinished file. */
const PARTIAL = /^\.[0-9a-f-]{36}\.partial$/;
/** Errors of file systems without hard links. */
const WITHOUT_LINKS = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

/**
 * Writes a file that only its owner can read; it gets its name when it is completely on the disk. A killed process leaves a
 * `.partial` file, which the next writer of this file deletes. Throws, without writing, if the file exists.
 */
export async function writeNewFile(file: string, write: (destination: Writable) => Promise<void>): Promise<void> {
  const isTaken = await access(file).then(
    () => true,
    () => false,
  );
  if (isTaken) throw alreadyThere(file);
  await deletePartial(file);
  const partial = `${file}.${randomUUID()}.partial`;
  const handle = await open(partial, 'wx', 0o600).catch((error) => {
    throw unusable(file, 'written', error);
  });
  const destination = handle.createWriteStream({ flush: true });
  // The writer gets errors; without a listener they would end the process, too.
  destination.on('error', () => {});
  try {
    await write(destination);
    await giveName(partial, file);
  } finally {
    destination.destroy();
    await handle.close().catch(() => {});
    await rm(partial, { force: true });
  }
}

async function deletePartial(file: string): Promise<void> {
  const folder = path.dirname(file);
  const base = path.basename(file);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    const isNone = error.code === 'ENOENT' || error.code === 'ENOTDIR';
    throw isNone ? new Error(`there is no folder ${folder}`) : error;
  });
  const left = names.filter((each) => each.startsWith(base) && PARTIAL.test(each.slice(base.length)));
  await Promise.all(left.map((each) => rm(path.join(folder, each), { force: true })));
}

/** A link, unlike a rename, fails if another process has created the file meanwhile. */
async function giveName(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw alreadyThere(file);
    if (code === 'ENOENT') throw new Error(`another command has begun to write ${file}`);
    if (!WITHOUT_LINKS.has(code)) throw error;
    await rename(partial, file);
  }
}

/** An error of the file system in words. */
function unusable(file: string, how: 'read' | 'written', cause: NodeJS.ErrnoException): Error {
  return new Error(`${file} cannot be ${how} (${cause.code})`, { cause });
}

function alreadyThere(file: string): Error {
  return new Error(`there is a file ${file} already`);
}

const MIB = 1024 ** 2;

/** Reads a file named by the operator. Throws, in one line, if it does not exist or is larger than the limit. */
export async function readTextFile(file: string, maxMib: number): Promise<string> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new Error(`there is no file ${file}`);
  if (found.size > maxMib * MIB) throw new Error(`${file} is too large (limit: ${maxMib} MiB)`);
  return readFile(file, 'utf8').catch((error) => {
    throw unusable(file, 'read', error);
  });
}
