import type { UploadedImage } from '@parley/shared/proto';
import type { Metadata } from 'sharp';

/** For all frames together: decoded images must fit into memory, however small the file. */
const MAX_PIXELS = 90_000_000;
/** An image is in memory as a whole while it is processed. */
export const MAX_PICTURE_BYTES = 64 * 1024 * 1024;
const TIMEOUT = { seconds: 30 };
const SIZE = { width: 840, height: 560, fit: 'inside', withoutEnlargement: true } as const;

/** The formats of thumbnails, the second one for animations only; announced in POST /register. */
export const STILL = '840x560.webp';
export const ANIMATED = '840x560-anim.webp';

const FORMAT = /^\d{1,5}x\d{1,5}(-anim)?\.[a-z]{2,5}$/;

/** Uploads are untrusted: only these decoders are enabled. */
const DECODERS = ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Heif', 'Tiff'].map((kind) => `VipsForeignLoad${kind}`);

const CONTENT_TYPES: Record<string, string> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  tiff: 'image/tiff',
};

type SharpModule = typeof import('sharp');

let loading: Promise<SharpModule> | undefined;

/** Loaded with the first image: the library takes 10 MB. */
function getSharp(): Promise<SharpModule> {
  loading ??= loadSharp();
  return loading;
}

async function loadSharp(): Promise<SharpModule> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: DECODERS });
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

/** The kind and size of an image, by its bytes only; null for other files, or if decoding costs too much. */
export async function inspectPicture(bytes: Uint8Array): Promise<UploadedImage | null> {
  const sharp = await getSharp();
  try {
    const metadata = await sharp(bytes, { limitInputPixels: false }).metadata();
    return describe(metadata);
  } catch {
    return null;
  }
}

function describe({
  format,
  compression,
  width,
  height,
  autoOrient,
  pageHeight,
  pages,
}: Metadata): UploadedImage | null {
  const contentType = CONTENT_TYPES[format === 'heif' && compression === 'av1' ? 'avif' : format];
  // A TIFF's pages are not frames.
  const frames = contentType === 'image/gif' || contentType === 'image/webp' ? (pages ?? 1) : 1;
  const frameHeight = pageHeight ?? height;
  if (contentType === undefined || width * frameHeight * frames > MAX_PIXELS) return null;
  return frames > 1
    ? { contentType, width, height: frameHeight, frames }
    : { contentType, width: autoOrient.width, height: autoOrient.height, frames };
}

/** The thumbnail in a format. Throws for broken images. */
export async function makeThumbnail(bytes: Uint8Array, format: string): Promise<Buffer> {
  const sharp = await getSharp();
  const animated = format === ANIMATED;
  const picture = sharp(bytes, { animated, limitInputPixels: MAX_PIXELS }).timeout(TIMEOUT);
  return (animated ? picture : picture.autoOrient()).resize(SIZE).webp().toBuffer();
}

/** The format closest to the requested one; null if the name is not a format's. */
export function nearestFormat(wanted: string, { frames }: UploadedImage): string | null {
  const format = FORMAT.exec(wanted);
  if (format === null) return null;
  return format[1] !== undefined && frames > 1 ? ANIMATED : STILL;
}
