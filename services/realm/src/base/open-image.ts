import { BadImageError } from '@parley/shared/errors';
import type { Metadata, Sharp } from 'sharp';
import sharp from 'sharp';

/** Of all frames together: what is decoded must fit into memory, however small the file. */
const MAX_PIXELS = 90_000_000;
const MAX_FRAMES = 500;

// Uploads come from strangers: no decoder is reachable but those of the four kinds that browsers show everywhere.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'],
});
// Several uploads share the machine with everything else; nothing is opened twice.
sharp.concurrency(1);
sharp.cache(false);

interface OpenedImage {
  /** All frames; of an animation they are processed alike. */
  image: Sharp;
  firstFrame: Sharp;
  format: 'png' | 'jpeg' | 'gif' | 'webp';
  isAnimated: boolean;
}

/** An uploaded picture, ready to be made smaller. Throws BAD_IMAGE for what is none, or would take too much to decode. */
export async function openImage(bytes: Uint8Array): Promise<OpenedImage> {
  const { image, metadata } = await readImage(bytes);
  const { format, width, height, pages = 1 } = metadata;
  if (width * height > MAX_PIXELS || pages > MAX_FRAMES) throw new BadImageError('Image size exceeds limit.');
  const firstFrame = sharp(bytes, { limitInputPixels: MAX_PIXELS });
  return { image, firstFrame, format: format as OpenedImage['format'], isAnimated: pages > 1 };
}

async function readImage(bytes: Uint8Array): Promise<{ image: Sharp; metadata: Metadata }> {
  try {
    const image = sharp(bytes, { animated: true, limitInputPixels: MAX_PIXELS });
    return { image, metadata: await image.metadata() };
  } catch {
    throw new BadImageError('Invalid image format');
  }
}

/** The picture as a file. Throws BAD_IMAGE when it turns out to be broken. */
export async function encodeImage(image: Sharp): Promise<Buffer<ArrayBuffer>> {
  try {
    return await image.toBuffer();
  } catch {
    throw new BadImageError('Could not decode image; did you upload an image file?');
  }
}
