import { Readable } from 'node:stream';
import type { UploadProgress } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../../context';
import { finishUpload } from '../finish-upload';
import { type UploadStore, uploadKeys } from '../upload-store';

/** Makes one file of the parts that have come in. It may be repeated until it has succeeded. */
export async function completeParts(ctx: Context, call: Caller, progress: UploadProgress): Promise<void> {
  const { pathId } = progress;
  const { store } = ctx.uploads;
  const size = await store.put(uploadKeys.file(pathId), Readable.from(bytesOf(store, progress), { objectMode: false }));
  if (size !== progress.size) throw new Error(`the parts of ${pathId} have ${size} bytes in place of ${progress.size}`);
  await finishUpload(ctx, call, { pathId, size });
  await store.delete(uploadKeys.parts(pathId));
}

async function* bytesOf(store: UploadStore, { pathId, partEnds }: UploadProgress): AsyncGenerator<Buffer> {
  for (const offset of [0, ...partEnds].slice(0, -1)) {
    const part = await store.get(uploadKeys.part(pathId, offset));
    if (!part) throw new Error(`the part of ${pathId} at ${offset} is gone`);
    yield* part as AsyncIterable<Buffer>;
  }
}

/** The body of the answer with which an upload ends. */
export function uploadResult({ pathId, name }: UploadProgress): string {
  return JSON.stringify({ url: `/user_uploads/${pathId}`, filename: name });
}
