import { Readable } from 'node:stream';
import { BadRequestError } from '@parley/shared/errors';
import type { UploadProgress } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../../context';
import type { Answer } from '../../http/answer';
import { API_PREFIX } from '../../http/endpoint';
import type { Exchange } from '../../http/exchange';
import { identify } from '../../http/identify';
import type { Page } from '../../http/routes';
import { PATH_ID_TEMPLATE, pathIdOf } from '../../pages/uploaded-file';
import { PATH_PATTERNS } from '../path-id';
import { renewedCall } from '../renewed-call';
import { uploadKeys } from '../upload-store';
import { completeParts, uploadResult } from './complete-parts';
import { byteCount, tusAnswer } from './tus-answer';

const CONTENT_TYPE = 'application/offset+octet-stream';

/**
 * An upload that can be resumed: how far it has come (HEAD), and its next bytes (PATCH). Each request's bytes become a part in the
 * store and its end a number in the row, so any gateway can go on where another one stopped.
 */
export function uploadInProgress(ctx: Context): Page {
  const beingPatched = new Set<string>();

  async function patchAlone(pathId: string, exchange: Exchange): Promise<Answer> {
    if (beingPatched.has(pathId)) throw new BadRequestError('The upload is being written to', {}, 423);
    beingPatched.add(pathId);
    try {
      return await patch(ctx, pathId, exchange);
    } finally {
      beingPatched.delete(pathId);
    }
  }

  return {
    path: `${API_PREFIX}/tus/${PATH_ID_TEMPLATE}`,
    patterns: PATH_PATTERNS,
    methods: ['HEAD', 'PATCH'],
    answer: (parts, exchange) =>
      tusAnswer(exchange, () =>
        exchange.req.method === 'HEAD' ? head(ctx, pathIdOf(parts), exchange) : patchAlone(pathIdOf(parts), exchange),
      ),
  };
}

async function head(ctx: Context, pathId: string, exchange: Exchange): Promise<Answer> {
  const call = await identify(ctx, exchange);
  const progress = await ctx.services.messages.getUploadProgress(call, { pathId });
  // The answer to the last part may have been lost, and its effect with it: a client that sees the end does not come again.
  if (!progress.isStored && offsetOf(progress) === progress.size) await completeParts(ctx, call, progress);
  return { status: 200, body: '', headers: { ...offsetHeader(progress), 'Upload-Length': String(progress.size) } };
}

async function patch(ctx: Context, pathId: string, exchange: Exchange): Promise<Answer> {
  const call = await identify(ctx, exchange);
  if (exchange.header('content-type') !== CONTENT_TYPE) throw new BadRequestError('Invalid Content-Type', {}, 415);
  const offset = byteCount(exchange, 'upload-offset');
  const before = await ctx.services.messages.getUploadProgress(call, { pathId });
  if (offset !== offsetOf(before)) throw new BadRequestError('Mismatched offset', {}, 409);
  const progress = await storePart(ctx, call, before, exchange.req);
  if (offsetOf(progress) < progress.size) return { status: 204, body: '', headers: offsetHeader(progress) };
  if (!progress.isStored) await completeParts(ctx, call, progress);
  return { status: 200, body: uploadResult(progress), headers: offsetHeader(progress) };
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

function offsetOf({ partEnds, isStored, size }: UploadProgress): number {
  return isStored ? size : (partEnds.at(-1) ?? 0);
}

function offsetHeader(progress: UploadProgress): Record<string, string> {
  return { 'Upload-Offset': String(offsetOf(progress)) };
}
