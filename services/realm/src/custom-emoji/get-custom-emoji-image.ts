import type { CustomEmojiImage, GetCustomEmojiImageRequest } from '@parley/shared/proto';
import type { Context } from '../context';
import { possibleIds, possibleTexts } from '../possible-values';
import { findEmojiImage } from './custom-emoji.sql';

const NONE: CustomEmojiImage = { contentType: '', bytes: Buffer.alloc(0) };

/** The bytes of an emoji. For whoever knows the name of the file, which is random; they never change. */
export async function getCustomEmojiImage(
  ctx: Context,
  request: GetCustomEmojiImageRequest,
): Promise<CustomEmojiImage> {
  const [realmId] = possibleIds([request.realmId]);
  const [fileName] = possibleTexts([request.fileName]);
  if (realmId === undefined || fileName === undefined) return NONE;
  return (await findEmojiImage(ctx.db, realmId, fileName)) ?? NONE;
}
