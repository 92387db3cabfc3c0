import type { GetOrganizationImageRequest, OrganizationImageFile } from '@parley/shared/proto';
import type { Context } from '../context';
import { possibleIds, possibleTexts } from '../possible-values';
import { findRealmImage } from './realm-images.sql';

const NONE: OrganizationImageFile = { contentType: '', bytes: Buffer.alloc(0) };

/** The bytes of an icon or logo. For everybody: whoever signs in sees it first. */
export async function getOrganizationImage(
  ctx: Context,
  request: GetOrganizationImageRequest,
): Promise<OrganizationImageFile> {
  const [realmId] = possibleIds([request.realmId]);
  const [kind] = possibleTexts([request.kind]);
  if (realmId === undefined || kind === undefined) return NONE;
  const image = await findRealmImage(ctx.prisma, realmId, kind);
  return image === null ? NONE : { contentType: image.contentType, bytes: Buffer.from(image.bytes) };
}
