import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { MANIFEST, type Manifest, readManifest } from './manifest';

/** One of an archive's entries; its bytes are to be read before the next one is asked for. */
export interface ArchiveEntry {
  name: string;
  bytes: Readable;
}

/** An archive's entries in order. Throws for what is no archive, or one that breaks off. */
export async function* readEntries(file: string): AsyncGenerator<ArchiveEntry> {
  const tar = extract();
  const source = createReadStream(file);
  const unzipped = createGunzip();
  const fail = (error: Error) => tar.destroy(error);
  source.on('error', fail).pipe(unzipped).on('error', fail).pipe(tar);
  try {
    for await (const entry of tar) yield { name: entry.header.name, bytes: entry as unknown as Readable };
  } finally {
    source.destroy();
  }
}

/** Reads all of an archive; throws unless every entry is there, in order, and what it was. */
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
