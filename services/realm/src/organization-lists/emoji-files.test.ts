import sharp from 'sharp';
import { type EmojiFile, makeEmojiFiles } from './emoji-files';

const RED = { r: 255, g: 0, b: 0, alpha: 1 };

function picture(width: number, height: number) {
  return sharp({ create: { width, height, channels: 4, background: RED } });
}

/** One colour for each frame. */
function animation(frames: number) {
  const [width, height] = [100, 60];
  const raw = Buffer.alloc(width * height * frames * 4);
  raw.forEach((_, index) => {
    raw[index] = index % 4 === 3 ? 255 : (Math.floor(index / (width * height * 4)) * 40) % 256;
  });
  return sharp(raw, { raw: { width, height: height * frames, channels: 4, pageHeight: height } });
}

async function shapeOf({ fileName, contentType, bytes }: EmojiFile) {
  const { format, width, pageHeight, height, pages = 1 } = await sharp(bytes, { animated: true }).metadata();
  expect(fileName).toMatch(new RegExp(`^[A-Za-z0-9]{32}\\.${format}$`));
  expect(contentType).toBe(`image/${format}`);
  return [format, width, pageHeight ?? height, pages];
}

test.each([
  ['a PNG', () => picture(100, 60).png()],
  ['a JPEG', () => picture(20, 300).jpeg()],
  ['a WebP', () => picture(64, 64).webp()],
  ['a GIF that does not move', () => picture(300, 300).gif()],
])('%s becomes a PNG of 64 by 64', async (_what, upload) => {
  const { image, still } = await makeEmojiFiles(await upload().toBuffer());
  expect(await shapeOf(image)).toEqual(['png', 64, 64, 1]);
  expect(still).toBeNull();
});

test('pictures are not cropped, but padded with transparency', async () => {
  const { image } = await makeEmojiFiles(await picture(100, 50).png().toBuffer());
  const pixels = await sharp(image.bytes).raw().toBuffer();
  const pixelAt = (x: number, y: number) => [...pixels.subarray((y * 64 + x) * 4, (y * 64 + x) * 4 + 4)];
  expect([pixelAt(0, 0)[3], pixelAt(0, 32), pixelAt(63, 32)]).toEqual([0, [255, 0, 0, 255], [255, 0, 0, 255]]);
});

test.each(['gif', 'webp'] as const)('an animated %s stays one and gets a still', async (format) => {
  const { image, still } = await makeEmojiFiles(await animation(3).toFormat(format).toBuffer());
  expect(await shapeOf(image)).toEqual([format, 64, 64, 3]);
  expect(await shapeOf(still as EmojiFile)).toEqual(['png', 64, 64, 1]);
});

test.each([
  ['text', Buffer.from('hello'), 'Invalid image format'],
  ['nothing', Buffer.alloc(0), 'Invalid image format'],
  [
    'a drawing, as nothing should interpret those',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    'Invalid image format',
  ],
])('%s is no image', async (_what, bytes, message) => {
  await expect(makeEmojiFiles(bytes)).rejects.toMatchObject({ code: 'BAD_IMAGE', message });
});

test('a picture that breaks off is refused', async () => {
  const whole = await picture(500, 500).png().toBuffer();
  const attempt = makeEmojiFiles(whole.subarray(0, whole.length / 2));
  await expect(attempt).rejects.toMatchObject({ code: 'BAD_IMAGE' });
});

test('a picture is refused that would fill the memory, and an animation without end', async () => {
  const bomb = await picture(9_500, 9_500).png().toBuffer();
  await expect(makeEmojiFiles(bomb)).rejects.toMatchObject({ code: 'BAD_IMAGE' });
  const endless = await animation(501).gif().toBuffer();
  await expect(makeEmojiFiles(endless)).rejects.toMatchObject({ message: 'Image size exceeds limit.' });
});
