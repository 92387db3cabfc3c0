import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { BadRequestError } from '@parley/shared/errors';
import { MAX_MESSAGE_BYTES } from '@parley/shared/rpc';
import { extract } from 'tar-stream';
import { MANIFEST, MAX_ENTRIES, MAX_MANIFEST_BYTES, type Manifest, readManifest } from './manifest';

/** One entry of an archive; its bytes have to be read before the next entry. */
export interface ArchiveEntry {
  name: string;
  bytes: Readable;
}

/** An archive's entries in order. Throws for invalid and truncated archives, and beyond the limits of any archive. */
export async function* readEntries(file: string): AsyncGenerator<ArchiveEntry> {
  const tar = extract();
  const source = createReadStream(file);
  const unzipped = createGunzip();
  const fail = (error: Error) => tar.destroy(error);
  const refuse = (error: Error) => fail(isDamaged(error));
  source.on('error', fail).pipe(unzipped).on('error', refuse).pipe(tar);
  let entries = 0;
  try {
    for await (const entry of tar) {
      const { name, size = 0 } = entry.header;
      checkSize(name, size);
      entries += 1;
      if (entries > MAX_ENTRIES + 1) throw new BadRequestError(`the archive holds more than ${MAX_ENTRIES} entries`);
      yield { name, bytes: entry as unknown as Readable };
    }
  } catch (error) {
    // Errors of the disk have a code, those of the format have none.
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? isDamaged(error as Error) : error;
  } finally {
    source.destroy();
  }
}

function isDamaged({ message }: Error): BadRequestError {
  return new BadRequestError(`the archive is damaged, or is none: ${message}`);
}

/** Maximum length of an entry's name: a folder, and a file's name. */
const MAX_NAME_LENGTH = 512;

/** Maximum size of an entry that is read into memory. Names stay in memory until the end; uploaded files are streamed. */
function checkSize(name: string, size: number): void {
  if (name.length > MAX_NAME_LENGTH) throw new BadRequestError('the archive is damaged: a name in it is too long');
  if (name.startsWith('files/')) return;
  const most = name === MANIFEST ? MAX_MANIFEST_BYTES : MAX_MESSAGE_BYTES;
  if (size > most) throw new BadRequestError(`the archive is damaged: ${JSON.stringify(name)} has ${size} bytes`);
}

/** Reads a whole archive; throws unless every entry is present, in order, and intact. */
export async function checkArchive(file: string): Promise<Manifest> {
  const found: string[] = [];
  let manifest: Manifest | null = null;
  for await (const { name, bytes } of readEntries(file)) {
    if (manifest) throw new Error(`the archive is damaged: it goes on behind its manifest, with ${name}`);
    if (name === MANIFEST) manifest = readManifest(await text(bytes));
    else found.push(`${name} ${await digestOf(bytes)}`);
  }
  if (manifest === null) throw new Error('the archive is damaged: its end is missing');
  const wanted = manifest.entries.map(({ name, size, sha256 }) => `${name} ${size} ${sha256}`);
  const wrong = wanted.find((entry, index) => entry !== found[index]) ?? found[wanted.length];
  if (wrong !== undefined) throw new Error(`the archive is damaged: ${wrong.split(' ')[0]} is not what it was`);
  return manifest;
}

async function digestOf(bytes: Readable): Promise<string> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  return `${size} ${hash.digest('hex')}`;
}
