import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The store of uploaded files' bytes. Keys are made by uploadKeys, from validated parts; a put is atomic. */
export interface UploadStore {
  /** Resolves with the number of bytes. Replaces an existing entry. */
  put(key: string, bytes: Readable): Promise<number>;
  /** Null: no such entry. */
  get(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Deletes the entry of this key, and all entries below it, if they exist. */
  delete(key: string): Promise<void>;
}

/**
 * Keys of a file, its thumbnails by format, and its parts: by their offset, and the attempt, so
 * that no attempt changes the bytes of another one. Parts of the previous version have no attempt.
 */
export const uploadKeys = {
  file: (pathId: string) => `files/${pathId}`,
  thumbnails: (pathId: string) => `thumbnails/${pathId}`,
  thumbnail: (pathId: string, format: string) => `thumbnails/${pathId}/${format}`,
  parts: (pathId: string) => `parts/${pathId}`,
  part: (pathId: string, offset: number, attempt: string) =>
    `parts/${pathId}/${offset}${attempt === '' ? '' : `.${attempt}`}`,
};

/** Deletes all bytes of a file; repeatable. */
export async function deleteUpload(store: UploadStore, pathId: string): Promise<void> {
  await store.delete(uploadKeys.file(pathId));
  await store.delete(uploadKeys.thumbnails(pathId));
  await store.delete(uploadKeys.parts(pathId));
}
