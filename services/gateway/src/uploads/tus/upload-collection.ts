import { BadRequestError } from '@parley/shared/errors';
import type { Context } from '../../context';
import type { Answer } from '../../http/answer';
import { API_PREFIX } from '../../http/endpoint';
import type { Exchange } from '../../http/exchange';
import { identify } from '../../http/identify';
import type { Page } from '../../http/routes';
import { contentTypeOf } from '../content-type';
import { newPathId, safeAsciiName } from '../path-id';
import { fileTooLarge } from '../receive-file';
import { completeParts, uploadResult } from './complete-parts';
import { byteCount, TUS_VERSION, tusAnswer } from './tus-answer';
import { parseMetadata } from './upload-metadata';

/** Where uploads that can be resumed begin: the creation extension of tus 1.0. */
export function uploadCollection(ctx: Context): Page {
  return {
    path: `${API_PREFIX}/tus/`,
    methods: ['OPTIONS', 'POST'],
    async answer(_path, exchange) {
      if (exchange.req.method === 'POST') return tusAnswer(exchange, () => create(ctx, exchange));
      return {
        status: 204,
        body: '',
        headers: {
          'Tus-Resumable': TUS_VERSION,
          'Tus-Version': TUS_VERSION,
          'Tus-Extension': 'creation',
          'Tus-Max-Size': String(ctx.uploads.maxBytes),
        },
      };
    },
  };
}

async function create(ctx: Context, exchange: Exchange): Promise<Answer> {
  const call = await identify(ctx, exchange);
  ctx.rateLimits.countOwn(exchange, 'uploads');
  if (exchange.header('upload-length') === undefined) throw new BadRequestError('Upload-Length is required', {}, 411);
  const size = byteCount(exchange, 'upload-length');
  if (size > ctx.uploads.maxBytes) throw new BadRequestError(fileTooLarge(ctx.uploads.maxBytes).message, {}, 413);
  const { filename = '', filetype } = parseMetadata(exchange.header('upload-metadata'));
  const name = safeAsciiName(filename);
  const pathId = newPathId(call.realmId, name);
  const contentType = contentTypeOf(filetype, name);
  const progress = await ctx.services.messages.beginUpload(call, { pathId, name, contentType, size });
  const headers = { Location: `${API_PREFIX}/tus/${pathId}`, 'Upload-Offset': '0' };
  if (size > 0) return { status: 201, body: '', headers };
  await completeParts(ctx, call, progress);
  return { status: 201, body: uploadResult(progress), headers };
}
