import { Readable } from 'node:stream';
import { BadRequestError } from '@parley/shared/errors';
import type { UploadProgress } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../../context';
import type { Exchange } from '../../http/exchange';
import { finishUpload } from '../finish-upload';
import { renewedCall } from '../renewed-call';
import { type UploadStore, uploadKeys } from '../upload-store';

const CONTENT_TYPE = 'application/offset+octet-stream';

export function requirePart(exchange: Exchange): void {
  if (exchange.header('content-type') !== CONTENT_TYPE) throw new BadRequestError('Invalid Content-Type', {}, 415);
}

/** Stores the request's body behind what there is, and completes the file once all of it has come. */
export async function receivePart(ctx: Context, call: Caller, before: UploadProgress, { req }: Exchange) {
  const progress = await storePart(ctx, call, before, req);
  if (isAllThere(progress) && !progress.isStored) await completeParts(ctx, call, progress);
  return progress;
}

async function storePart(
  { services, uploads }: Context,
  call: Caller,
  progress: UploadProgress,
  body: Readable,
): Promise<UploadProgress> {
  const { pathId, size } = progress;
  const fromOffset = offsetOf(progress);
  const bytes = Readable.from(arriving(body, size - fromOffset), { objectMode: false });
  const count = await uploads.store.put(uploadKeys.part(pathId, fromOffset), bytes);
  if (count === 0) return progress;
  return services.messages.advanceUpload(renewedCall(call), { pathId, fromOffset, toOffset: fromOffset + count });
}

/** What comes in before the connection breaks off is kept: the client goes on from there. */
async function* arriving(body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let count = 0;
  const chunks = body[Symbol.asyncIterator]();
  for (;;) {
    const next = await chunks.next().catch(() => ({ done: true as const, value: undefined }));
    if (next.done) return;
    count += next.value.length;
    if (count > maxBytes) throw new BadRequestError('Upload exceeds its length', {}, 413);
    yield next.value;
  }
}

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

function offsetOf({ partEnds, isStored, size }: UploadProgress): number {
  return isStored ? size : (partEnds.at(-1) ?? 0);
}

export function isAllThere(progress: UploadProgress): boolean {
  return offsetOf(progress) === progress.size;
}

export function isAt(progress: UploadProgress, offset: number): boolean {
  return offsetOf(progress) === offset;
}

export function offsetHeader(progress: UploadProgress): Record<string, string> {
  return { 'Upload-Offset': String(offsetOf(progress)) };
}
