import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { BadRequestError, PublicError } from '@parley/shared/errors';
import type { UploadProgress } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../../context';
import type { Exchange } from '../../http/exchange';
import { dropRest } from '../drop-rest';
import { finishUpload } from '../finish-upload';
import { renewedCall } from '../renewed-call';
import { type UploadStore, uploadKeys } from '../upload-store';

const CONTENT_TYPE = 'application/offset+octet-stream';

export function requirePart(exchange: Exchange): void {
  if (exchange.header('content-type') !== CONTENT_TYPE) throw new BadRequestError('Invalid Content-Type', {}, 415);
}

/** Appends the request's body to the upload, and completes the file when everything has arrived. */
export async function receivePart(ctx: Context, call: Caller, before: UploadProgress, { req }: Exchange) {
  const progress = await storePart(ctx, call, before, req);
  if (isAllThere(progress) && !progress.isStored) await completeParts(ctx, call, progress);
  return progress;
}

/**
 * Stored under this attempt's key: an interrupted request may end after the client has continued at another gateway. Only the
 * first of both to be counted is part of the file.
 */
async function storePart(
  ctx: Context,
  call: Caller,
  progress: UploadProgress,
  body: Readable,
): Promise<UploadProgress> {
  const { services, uploads } = ctx;
  const { pathId, size } = progress;
  const fromOffset = offsetOf(progress);
  const attempt = randomUUID();
  const key = uploadKeys.part(pathId, fromOffset, attempt);
  const bytes = Readable.from(arriving(body, size - fromOffset), { objectMode: false });
  const count = await uploads.store.put(key, bytes);
  if (count === 0) {
    await sweep(ctx, call, key);
    return progress;
  }
  const part = { pathId, fromOffset, toOffset: fromOffset + count, attempt };
  try {
    return await services.messages.advanceUpload(renewedCall(call), part);
  } catch (error) {
    // After another error the part may have been counted: its bytes stay until the file is complete or abandoned.
    if (isRefusal(error)) await sweep(ctx, call, key);
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof PublicError && error.httpStatus < 500;
}

/** Deletes the bytes of an attempt that was not counted. If that fails they are deleted with the file's parts. */
async function sweep({ uploads, log }: Context, { requestId }: Caller, key: string): Promise<void> {
  await uploads.store.delete(key).catch((error: unknown) => {
    log.warn({ err: error, key, requestId }, 'an unused part of an upload could not be deleted');
  });
}

/** Bytes that arrive before the connection breaks are stored: the client resumes there. */
async function* arriving(body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  const chunks = body.iterator({ destroyOnReturn: false });
  try {
    for (let count = 0; ; ) {
      const next = await chunks.next().catch(() => ({ done: true as const, value: undefined }));
      if (next.done) return;
      count += next.value.length;
      if (count > maxBytes) throw new BadRequestError('Upload exceeds its length', {}, 413);
      yield next.value;
    }
  } finally {
    await chunks.return?.();
    dropRest(body);
  }
}

/** Makes one file of the uploaded parts. Repeatable until it has succeeded, also at several gateways concurrently. */
export async function completeParts(ctx: Context, call: Caller, progress: UploadProgress): Promise<void> {
  try {
    await joinParts(ctx, call, progress);
  } catch (error) {
    // Another gateway may have completed it and deleted the parts.
    const { pathId } = progress;
    const now = await ctx.services.messages.getUploadProgress(renewedCall(call), { pathId }).catch(() => null);
    if (!now?.isStored) throw error;
  }
}

async function joinParts(ctx: Context, call: Caller, progress: UploadProgress): Promise<void> {
  const { pathId } = progress;
  const { store } = ctx.uploads;
  const size = await store.put(uploadKeys.file(pathId), Readable.from(bytesOf(store, progress), { objectMode: false }));
  if (size !== progress.size) throw new Error(`the parts of ${pathId} have ${size} bytes in place of ${progress.size}`);
  await finishUpload(ctx, call, { pathId, size });
  await store.delete(uploadKeys.parts(pathId));
}

async function* bytesOf(
  store: UploadStore,
  { pathId, partEnds, partAttempts }: UploadProgress,
): AsyncGenerator<Buffer> {
  for (const [index, offset] of [0, ...partEnds].slice(0, -1).entries()) {
    const part = await store.get(uploadKeys.part(pathId, offset, partAttempts[index] ?? ''));
    if (!part) throw new Error(`the part of ${pathId} at ${offset} is gone`);
    yield* part as AsyncIterable<Buffer>;
  }
}

/** The body of the last answer of an upload. */
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
