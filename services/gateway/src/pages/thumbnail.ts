import { BadRequestError } from '@parley/shared/errors';
import type { Upload } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import type { Context } from '../context';
import type { Answer } from '../http/answer';
import type { Exchange } from '../http/exchange';
import { identifyOrVisit } from '../http/identify-or-visit';
import type { Page } from '../http/routes';
import { PATH_ID_TEMPLATE, PATH_PATTERNS, pathIdOf } from '../uploads/path-id';
import { nearestFormat } from '../uploads/picture';
import { orRefusalPage } from '../uploads/refusal-page';
import { PRIVATE } from '../uploads/serve-file';
import { uploadKeys } from '../uploads/upload-store';

/** A thumbnail of an uploaded image; made now if it does not exist yet. */
export function thumbnail(ctx: Context): Page {
  return {
    path: `/user_uploads/thumbnail/${PATH_ID_TEMPLATE}/{format}`,
    patterns: PATH_PATTERNS,
    ownLimit: 'downloads',
    answer: (parts, exchange) =>
      orRefusalPage(exchange, () => answer(ctx, pathIdOf(parts), parts['format'] as string, exchange)),
  };
}

async function answer(ctx: Context, pathId: string, wanted: string, exchange: Exchange): Promise<Answer> {
  const call = await identifyOrVisit(ctx, exchange);
  const upload = await ctx.services.messages.getUpload(call, { pathId });
  const format = upload.image && nearestFormat(wanted, upload.image);
  const body = format && (await findOrMake(ctx, call.realmId, upload, format));
  if (!body) throw new BadRequestError(REFUSAL.requests.noFile, {}, 404);
  return { status: 200, body, headers: { 'Content-Type': 'image/webp', 'Cache-Control': PRIVATE } };
}

async function findOrMake({ uploads }: Context, realmId: number, { pathId, thumbnails }: Upload, format: string) {
  const key = uploadKeys.thumbnail(pathId, format);
  const found = await uploads.store.get(key);
  if (found || thumbnails === 'failed' || !(await uploads.thumbnails.make({ realmId, pathId }))) return found;
  return uploads.store.get(key);
}
