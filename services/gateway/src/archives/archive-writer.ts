import { createHash } from 'node:crypto';
import { Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { MANIFEST, MAX_ENTRIES, MAX_MANIFEST_BYTES, type Manifest } from './manifest';

/** Writes the entries of an archive, one after the other, in constant memory. */
export interface ArchiveWriter {
  /** There must be exactly `size` bytes. */
  add(name: string, size: number, bytes: Readable): Promise<void>;
  /** Ends the archive with its manifest; resolves when the destination has all of it. */
  finish(manifest: Omit<Manifest, 'entries'>): Promise<void>;
  /** Aborts the archive; the destination gets an error. */
  abort(error: Error): Promise<void>;
}

export function archiveWriter(destination: Writable): ArchiveWriter {
  const tar = pack();
  const entries: Manifest['entries'] = [];
  const sent = pipeline(tar as unknown as Readable, createGzip(), destination);
  // Awaited at the end; until then a failure appears in the call that adds an entry.
  sent.catch(() => {});

  async function put(name: string, size: number, bytes: Readable): Promise<string> {
    const hash = createHash('sha256');
    const hashed = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    await new Promise<void>((resolve, reject) => {
      const entry = tar.entry({ name, size }, (error) => (error ? reject(error) : resolve()));
      pipeline(bytes, hashed, entry as unknown as Writable).catch(reject);
    });
    return hash.digest('hex');
  }

  return {
    async add(name, size, bytes) {
      if (entries.length === MAX_ENTRIES) throw new Error(`an archive holds ${MAX_ENTRIES} entries at most`);
      entries.push({ name, size, sha256: await put(name, size, bytes) });
    },
    async finish(manifest) {
      const text = Buffer.from(JSON.stringify({ ...manifest, entries }));
      if (text.length > MAX_MANIFEST_BYTES) throw new Error('the manifest is larger than any that is read');
      await put(MANIFEST, text.length, Readable.from([text]));
      tar.finalize();
      await sent;
    },
    async abort(error) {
      tar.destroy(error);
      await sent.catch(() => {});
    },
  };
}
