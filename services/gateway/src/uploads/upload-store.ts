import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The store of uploaded files' bytes. Keys are made here (uploadKeys), from validated parts; a put is atomic. */
export interface UploadStore {
  /** Resolves with the number of bytes. Whatever was there before is replaced. */
  put(key: string, bytes: Readable): Promise<number>;
  /** Null when there is nothing. */
  get(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Deletes the entry of this key, and everything below it, if there is any. */
  delete(key: string): Promise<void>;
}

/**
 * A file itself, its thumbnails by format, and the parts in which it comes in: by the offset where they begin, and the attempt at it, so
 * that no attempt touches the bytes of another one. Those of the version before have no attempt.
 */
export const uploadKeys = {
  file: (pathId: string) => `files/${pathId}`,
  thumbnails: (pathId: string) => `thumbnails/${pathId}`,
  thumbnail: (pathId: string, format: string) => `thumbnails/${pathId}/${format}`,
  parts: (pathId: string) => `parts/${pathId}`,
  part: (pathId: string, offset: number, attempt: string) =>
    `parts/${pathId}/${offset}${attempt === '' ? '' : `.${attempt}`}`,
};

/** Deletes all bytes of a file; may be repeated. */
export async function deleteUpload(store: UploadStore, pathId: string): Promise<void> {
  await store.delete(uploadKeys.file(pathId));
  await store.delete(uploadKeys.thumbnails(pathId));
  await store.delete(uploadKeys.parts(pathId));
}
