import { BadImageError } from '@parley/shared/errors';
import type { Sharp } from 'sharp';
import { encodeImage, openImage } from '../base/open-image';
import { randomKey } from '../base/random-key';

const SIZE_PX = 64;
/** Matches the check of the table; only animations of many frames come near. */
const MAX_BYTES = 256 * 1024;
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };

export interface EmojiFile {
  fileName: string;
  contentType: string;
  bytes: Buffer<ArrayBuffer>;
}

export interface EmojiFiles {
  image: EmojiFile;
  /** Null: the image does not move. */
  still: EmojiFile | null;
}

/** An emoji made of an uploaded picture: 64 by 64, nothing cut off; an animation stays one and gets a still besides. */
export async function makeEmojiFiles(upload: Uint8Array): Promise<EmojiFiles> {
  const { image, firstFrame, format, isAnimated } = await openImage(upload);
  const still = await toFile(fit(firstFrame.autoOrient()).png(), 'png');
  if (!isAnimated) return { image: still, still: null };
  // The two kinds of animations are kept as what they are.
  const moving = format === 'gif' ? await toFile(fit(image).gif(), 'gif') : await toFile(fit(image).webp(), 'webp');
  return { image: moving, still };
}

function fit(image: Sharp): Sharp {
  return image.resize(SIZE_PX, SIZE_PX, { fit: 'contain', background: TRANSPARENT });
}

async function toFile(image: Sharp, extension: 'png' | 'gif' | 'webp'): Promise<EmojiFile> {
  const bytes = await encodeImage(image);
  if (bytes.length > MAX_BYTES) throw new BadImageError('Image size exceeds limit.');
  return { fileName: `${randomKey()}.${extension}`, contentType: `image/${extension}`, bytes };
}
