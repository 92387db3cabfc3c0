import { BadImageError } from '@parley/shared/errors';
import { REFUSAL } from '@parley/shared/texts/refusals';
import type { Metadata, Sharp } from 'sharp';

type SharpModule = typeof import('sharp');

/** The pixels of all frames together: the decoded image must fit into memory. */
const MAX_PIXELS = 90_000_000;
const MAX_FRAMES = 500;

let loading: Promise<SharpModule> | undefined;

/** Loaded with the first picture: the library takes 10 MB. */
async function loadSharp(): Promise<SharpModule> {
  const { default: sharp } = await import('sharp');
  // Uploads are untrusted: only the decoders of the four common browser formats are enabled.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'],
  });
  // Leaves processors to other requests; caching is useless, as no file is opened twice.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

interface OpenedImage {
  /** All frames; animations are processed like single images. */
  image: Sharp;
  firstFrame: Sharp;
  format: 'png' | 'jpeg' | 'gif' | 'webp';
  isAnimated: boolean;
}

/** Opens an uploaded picture for scaling. Throws BAD_IMAGE for other files, and for pictures too large to decode. */
export async function openImage(bytes: Uint8Array): Promise<OpenedImage> {
  loading ??= loadSharp();
  const sharp = await loading;
  const { image, metadata } = await readImage(sharp, bytes);
  const { format, width, height, pages = 1 } = metadata;
  if (width * height > MAX_PIXELS || pages > MAX_FRAMES) throw new BadImageError(REFUSAL.files.imageTooLarge);
  const firstFrame = sharp(bytes, { limitInputPixels: MAX_PIXELS });
  return { image, firstFrame, format: format as OpenedImage['format'], isAnimated: pages > 1 };
}

async function readImage(sharp: SharpModule, bytes: Uint8Array): Promise<{ image: Sharp; metadata: Metadata }> {
  try {
    const image = sharp(bytes, { animated: true, limitInputPixels: MAX_PIXELS });
    return { image, metadata: await image.metadata() };
  } catch {
    throw new BadImageError(REFUSAL.files.imageFormat);
  }
}

/** Encodes the picture. Throws BAD_IMAGE when its data is broken. */
export async function encodeImage(image: Sharp): Promise<Buffer<ArrayBuffer>> {
  try {
    return await image.toBuffer();
  } catch {
    throw new BadImageError(REFUSAL.files.notImage);
  }
}
