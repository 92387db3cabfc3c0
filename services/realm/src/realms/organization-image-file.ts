import { BadRequestError } from '@parley/shared/errors';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { UPLOAD_LIMITS_MIB } from '@parley/shared/values';
import type { OrganizationImageKind } from '@parley/shared/wire';
import { encodeImage, openImage } from '../base/open-image';

const ICON_PX = 100;
const LOGO_PX = { width: 800, height: 100 };

export interface OrganizationImageBytes {
  contentType: string;
  bytes: Buffer<ArrayBuffer>;
}

/** The one uploaded file, if it is not too large. */
export function uploadOf(files: readonly Buffer[], kind: OrganizationImageKind): Buffer {
  const [upload] = files;
  const noun = kind === 'icon' ? 'icon' : 'logo';
  if (upload === undefined || files.length > 1) throw new BadRequestError(`You must upload exactly one ${noun}.`);
  const limitMib = UPLOAD_LIMITS_MIB[noun];
  if (upload.length > limitMib * 1024 * 1024) {
    throw new BadRequestError(REFUSAL.files.tooLarge(String(limitMib)));
  }
  return upload;
}

/** An icon is cropped to a square; a logo is scaled to the space that clients have. */
export async function makeOrganizationImage(
  upload: Buffer,
  kind: OrganizationImageKind,
): Promise<OrganizationImageBytes> {
  const { firstFrame } = await openImage(upload);
  const upright = firstFrame.autoOrient();
  const sized =
    kind === 'icon'
      ? upright.resize(ICON_PX, ICON_PX, { fit: 'cover' })
      : upright.resize({ ...LOGO_PX, fit: 'inside', withoutEnlargement: true });
  return { contentType: 'image/png', bytes: await encodeImage(sized.png()) };
}
