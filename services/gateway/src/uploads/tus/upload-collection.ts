import { BadRequestError } from '@parley/shared/errors';
import type { UploadProgress } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { realmUrl } from '@parley/shared/values';
import type { Context } from '../../context';
import type { Answer } from '../../http/answer';
import { API_PREFIX } from '../../http/endpoint';
import type { Exchange } from '../../http/exchange';
import { identify } from '../../http/identify';
import { hasBody } from '../../http/read-body';
import type { Page } from '../../http/routes';
import { isJson, JSON_PREFIX } from '../../http/sessions';
import { abandonUpload } from '../abandon-upload';
import { contentTypeOf } from '../content-type';
import { newPathId, safeAsciiName } from '../path-id';
import { fileTooLarge } from '../store-file';
import { completeParts, isAllThere, offsetHeader, receivePart, requirePart, uploadResult } from './parts';
import { byteCount, describeProtocol, tusAnswer } from './tus-answer';
import { parseMetadata } from './upload-metadata';

/** Creates resumable uploads: the creation extensions of tus 1.0. Clients may use either address. */
export function uploadCollections(ctx: Context): Page[] {
  return [`${API_PREFIX}/tus`, `${API_PREFIX}/tus/`].map((path) => ({
    path,
    methods: ['OPTIONS', 'POST'],
    answer: (_path, exchange) =>
      exchange.req.method === 'POST' ? tusAnswer(exchange, () => create(ctx, exchange)) : describeProtocol(ctx),
  }));
}

async function create(ctx: Context, exchange: Exchange): Promise<Answer> {
  const call = await identify(ctx, exchange);
  ctx.rateLimits.countOwn(exchange, 'uploads');
  if (exchange.header('upload-length') === undefined) throw new BadRequestError('Upload-Length is required', {}, 411);
  const size = byteCount(exchange, 'upload-length');
  if (size > ctx.uploads.maxBytes) throw new BadRequestError(fileTooLarge(ctx.uploads.maxBytes).message, {}, 413);
  if (hasBody(exchange.req)) requirePart(exchange);
  const { filename = '', filetype } = parseMetadata(exchange.header('upload-metadata'));
  const name = safeAsciiName(filename);
  const pathId = newPathId(call.realmId, name);
  const contentType = contentTypeOf(filetype, name);
  const begun = await ctx.services.messages.beginUpload(call, { pathId, name, contentType, size });
  const progress = await receiveBeginning(ctx, call, begun, exchange);
  const headers = { Location: `${baseOf(ctx, exchange)}/tus/${pathId}`, ...offsetHeader(progress) };
  return { status: 201, body: isAllThere(progress) ? uploadResult(progress) : '', headers };
}

/** The request may include the first bytes. */
async function receiveBeginning(
  ctx: Context,
  call: Caller,
  begun: UploadProgress,
  exchange: Exchange,
): Promise<UploadProgress> {
  if (!hasBody(exchange.req)) {
    if (begun.size === 0) await completeParts(ctx, call, begun);
    return begun;
  }
  try {
    return await receivePart(ctx, call, begun, exchange);
  } catch (error) {
    // No client knows its address.
    await abandonUpload(ctx, call, begun.pathId);
    throw error;
  }
}

/** Where the client goes on: with its session, if it has one. */
function baseOf(ctx: Context, exchange: Exchange): string {
  return isJson(exchange.req) ? JSON_PREFIX : originOf(ctx, exchange) + API_PREFIX;
}

/** The origin that the client used; proxies pass on its scheme. */
function originOf({ config }: Context, exchange: Exchange): string {
  const configured = realmUrl(exchange.subdomain, config.EXTERNAL_HOST);
  const host = exchange.header('host');
  if (!host || configured.endsWith(`//${host}`)) return configured;
  const scheme = exchange.header('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${scheme}://${host}`;
}
