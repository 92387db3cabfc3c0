import type { Context } from '../context';
import type { Answer } from '../http/answer';
import type { Exchange } from '../http/exchange';
import { identifyOrVisit } from '../http/identify-or-visit';
import type { Page } from '../http/routes';
import { PATH_ID_TEMPLATE, PATH_PATTERNS, pathIdOf } from '../uploads/path-id';
import { orRefusalPage } from '../uploads/refusal-page';
import { serveFile } from '../uploads/serve-file';

/** The bytes of an uploaded file, for users who may read a message that links to it; below `download/` always as an attachment. */
export function uploadedFile(ctx: Context, kind: 'shown' | 'download'): Page {
  const isDownload = kind === 'download';
  return {
    path: `/user_uploads/${isDownload ? 'download/' : ''}${PATH_ID_TEMPLATE}`,
    patterns: PATH_PATTERNS,
    ownLimit: 'downloads',
    answer: (parts, exchange) => orRefusalPage(exchange, () => answer(ctx, pathIdOf(parts), exchange, isDownload)),
  };
}

async function answer(ctx: Context, pathId: string, exchange: Exchange, isDownload: boolean): Promise<Answer> {
  const call = await identifyOrVisit(ctx, exchange);
  const { contentType, size } = await ctx.services.messages.getUpload(call, { pathId });
  return serveFile(ctx.uploads.store, { pathId, contentType, size, isDownload, range: exchange.header('range') });
}
