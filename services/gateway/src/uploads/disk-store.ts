import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { UploadStore } from './upload-store';

/** Stores files below a directory, which several gateways may share. */
export function diskStore(directory: string): UploadStore {
  const root = path.resolve(directory);
  const incoming = path.join(root, 'incoming');
  return {
    async put(key, bytes) {
      const target = placeOf(root, key);
      const draft = path.join(incoming, randomUUID());
      await mkdir(incoming, { recursive: true });
      try {
        const written = await writeFile(draft, bytes);
        await mkdir(path.dirname(target), { recursive: true });
        await rename(draft, target);
        return written;
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async get(key, range) {
      const handle = await open(placeOf(root, key)).catch(nullIfAbsent);
      return handle && createReadStream('', { fd: handle, ...range });
    },
    delete: (key) => rm(placeOf(root, key), { recursive: true, force: true }),
  };
}

async function writeFile(place: string, bytes: Readable): Promise<number> {
  // Only this process may read uploads.
  const file = createWriteStream(place, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(bytes, file);
  return file.bytesWritten;
}

/** Second protection: a wrong key cannot lead out of the directory. */
function placeOf(root: string, key: string): string {
  const place = path.join(root, key);
  if (!place.startsWith(root + path.sep) || key.includes('\0')) throw new Error(`'${key}' leads out of the store`);
  return place;
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
