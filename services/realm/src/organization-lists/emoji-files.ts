import { BadImageError } from '@parley/shared/errors';
import { REFUSAL } from '@parley/shared/texts/refusals';
import type { Sharp } from 'sharp';
import { encodeImage, openImage } from '../base/open-image';
import { randomKey } from '../base/random-key';

const SIZE_PX = 64;
/** Matches the check of the table; only animations with many frames come near. */
const MAX_BYTES = 256 * 1024;
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };

export interface EmojiFile {
  fileName: string;
  contentType: string;
  bytes: Buffer<ArrayBuffer>;
}

export interface EmojiFiles {
  image: EmojiFile;
  /** Null: not animated. */
  still: EmojiFile | null;
}

/** An emoji from an uploaded picture: scaled to 64 by 64 without cropping; an animation stays animated, with a still image. */
export async function makeEmojiFiles(upload: Uint8Array): Promise<EmojiFiles> {
  const { image, firstFrame, format, isAnimated } = await openImage(upload);
  const still = await toFile(fit(firstFrame.autoOrient()).png(), 'png');
  if (!isAnimated) return { image: still, still: null };
  // Animations keep their format.
  const moving = format === 'gif' ? await toFile(fit(image).gif(), 'gif') : await toFile(fit(image).webp(), 'webp');
  return { image: moving, still };
}

function fit(image: Sharp): Sharp {
  return image.resize(SIZE_PX, SIZE_PX, { fit: 'contain', background: TRANSPARENT });
}

async function toFile(image: Sharp, extension: 'png' | 'gif' | 'webp'): Promise<EmojiFile> {
  const bytes = await encodeImage(image);
  if (bytes.length > MAX_BYTES) throw new BadImageError(REFUSAL.files.imageTooLarge);
  return { fileName: `${randomKey()}.${extension}`, contentType: `image/${extension}`, bytes };
}
