import type { AvatarImage, GetAvatarImageRequest } from '@parley/shared/proto';
import type { Context } from '../context';
import { possibleIds, possibleTexts } from '../possible-values';
import { findAvatarBytes } from './avatars.sql';

const NONE: AvatarImage = { bytes: Buffer.alloc(0) };

/** The bytes of a picture. For whoever knows the name of the file, which is random; they never change. */
export async function getAvatarImage(ctx: Context, request: GetAvatarImageRequest): Promise<AvatarImage> {
  const [realmId] = possibleIds([request.realmId]);
  const [fileName] = possibleTexts([request.fileName]);
  if (realmId === undefined || fileName === undefined) return NONE;
  const bytes = await findAvatarBytes(ctx.db, realmId, fileName, request.isMedium);
  return bytes === null ? NONE : { bytes };
}
