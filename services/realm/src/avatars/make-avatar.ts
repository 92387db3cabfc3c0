import { BadImageError, BadRequestError } from '@parley/shared/errors';
import type { Sharp } from 'sharp';
import { randomKey } from '../api-keys/random-key';
import { encodeImage, openImage } from '../images/open-image';

const MAX_UPLOAD_MIB = 5;
const SMALL_PX = 100;
const MEDIUM_PX = 500;
/** Match the checks of the table; hardly any picture comes near. */
const MAX_SMALL_BYTES = 64 * 1024;
const MAX_MEDIUM_BYTES = 2 * 1024 * 1024;

export interface Avatar {
  /** Random; without extension. */
  fileName: string;
  /** PNG. */
  small: Buffer;
  medium: Buffer;
}

/** The picture of an account, in two sizes, made of an uploaded one: a square out of its middle; of an animation the first frame. */
export async function makeAvatar(upload: Uint8Array): Promise<Avatar> {
  if (upload.length > MAX_UPLOAD_MIB * 1024 * 1024) {
    throw new BadRequestError(`Uploaded file is larger than the allowed limit of ${MAX_UPLOAD_MIB} MiB`);
  }
  const { firstFrame } = await openImage(upload);
  const upright = firstFrame.autoOrient();
  return {
    fileName: randomKey(),
    small: await square(upright.clone(), SMALL_PX, MAX_SMALL_BYTES),
    medium: await square(upright.clone(), MEDIUM_PX, MAX_MEDIUM_BYTES),
  };
}

async function square(image: Sharp, sizePx: number, maxBytes: number): Promise<Buffer> {
  const bytes = await encodeImage(image.resize(sizePx, sizePx, { fit: 'cover' }).png());
  if (bytes.length > maxBytes) throw new BadImageError('Image size exceeds limit.');
  return bytes;
}
