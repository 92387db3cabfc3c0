import { BadRequestError } from '@parley/shared/errors';
import type { Context } from '../../context';
import { type Answer, MethodNotAllowedError } from '../../http/answer';
import { API_PREFIX } from '../../http/endpoint';
import type { Exchange } from '../../http/exchange';
import { identify } from '../../http/identify';
import type { Page } from '../../http/routes';
import { abandonUpload } from '../abandon-upload';
import { PATH_ID_TEMPLATE, PATH_PATTERNS, pathIdOf } from '../path-id';
import { completeParts, isAllThere, isAt, offsetHeader, receivePart, requirePart, uploadResult } from './parts';
import { byteCount, describeProtocol, tusAnswer } from './tus-answer';
import { formatMetadata } from './upload-metadata';

type Work = (ctx: Context, pathId: string, exchange: Exchange) => Promise<Answer>;

const WORKS: Readonly<Record<string, Work>> = { DELETE: terminate, HEAD: head, PATCH: patch };

/**
 * A resumable upload: its offset (HEAD), its next bytes (PATCH), and its abortion (DELETE). Each request's bytes become
 * a part in the store and its end a number in the row, so any gateway can continue.
 *
 * NOTE: @tus/server is not used: it takes a lock before each write, where here the row decides which of two attempts counts, and
 * its S3 and disk stores keep the offset in separate files, without an organization's quota.
 */
export function uploadInProgress(ctx: Context): Page {
  const beingChanged = new Set<string>();

  async function changeAlone(pathId: string, exchange: Exchange, work: Work): Promise<Answer> {
    if (beingChanged.has(pathId)) throw new BadRequestError('The upload is being written to', {}, 423);
    beingChanged.add(pathId);
    try {
      return await work(ctx, pathId, exchange);
    } finally {
      beingChanged.delete(pathId);
    }
  }

  async function answer(pathId: string, exchange: Exchange): Promise<Answer> {
    const method = methodOf(exchange);
    if (method === 'OPTIONS') return describeProtocol(ctx);
    const work = WORKS[method];
    if (work === undefined) throw new MethodNotAllowedError([...Object.keys(WORKS), 'OPTIONS'].sort());
    return tusAnswer(exchange, () =>
      work === head ? work(ctx, pathId, exchange) : changeAlone(pathId, exchange, work),
    );
  }

  return {
    path: `${API_PREFIX}/tus/${PATH_ID_TEMPLATE}`,
    patterns: PATH_PATTERNS,
    ownLimit: 'uploadParts',
    methods: [...Object.keys(WORKS), 'OPTIONS', 'POST'],
    answer: (parts, exchange) => answer(pathIdOf(parts), exchange),
  };
}

/** Clients that cannot send a method send its name in a header. */
function methodOf(exchange: Exchange): string {
  const { method = '' } = exchange.req;
  return method === 'POST' ? (exchange.header('x-http-method-override') ?? method) : method;
}

async function head(ctx: Context, pathId: string, exchange: Exchange): Promise<Answer> {
  const call = await identify(ctx, exchange);
  const progress = await ctx.services.messages.getUploadProgress(call, { pathId });
  // The answer to the last part may have been lost before the file was completed: a client that sees the final offset does not
  // repeat it.
  if (!progress.isStored && isAllThere(progress)) await completeParts(ctx, call, progress);
  const { size, name: filename, contentType: filetype } = progress;
  return {
    status: 200,
    body: '',
    headers: {
      ...offsetHeader(progress),
      'Upload-Length': String(size),
      'Upload-Metadata': formatMetadata({ filename, filetype }),
    },
  };
}

async function patch(ctx: Context, pathId: string, exchange: Exchange): Promise<Answer> {
  const call = await identify(ctx, exchange);
  requirePart(exchange);
  const offset = byteCount(exchange, 'upload-offset');
  const before = await ctx.services.messages.getUploadProgress(call, { pathId });
  if (!isAt(before, offset)) throw new BadRequestError('Mismatched offset', {}, 409);
  const progress = await receivePart(ctx, call, before, exchange);
  const headers = offsetHeader(progress);
  if (!isAllThere(progress)) return { status: 204, body: '', headers };
  return { status: 200, body: uploadResult(progress), headers };
}

async function terminate(ctx: Context, pathId: string, exchange: Exchange): Promise<Answer> {
  const call = await identify(ctx, exchange);
  const { isStored } = await ctx.services.messages.getUploadProgress(call, { pathId });
  // Messages may link to it; its owner can use DELETE /attachments/{id}.
  if (isStored) throw new BadRequestError('The upload is complete', {}, 403);
  await abandonUpload(ctx, call, pathId);
  return { status: 204, body: '' };
}
