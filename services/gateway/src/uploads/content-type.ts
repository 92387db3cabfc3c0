import { lookup } from 'mime-types';

const UNKNOWN = 'application/octet-stream';
/** Default content types of clients, which say nothing about the file. */
const UNSAID = new Set(['', 'text/plain', UNKNOWN]);
const SANE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** A file's content type: the sender's, or else by its name. */
export function contentTypeOf(said: string | undefined, name: string): string {
  const type = (said ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!UNSAID.has(type) && SANE.test(type)) return type;
  return lookup(name) || (type === '' ? UNKNOWN : type);
}

const INLINE_TYPES = new Set([
  'application/pdf',
  ...['aac', 'flac', 'mp4', 'mpeg', 'wav', 'webm'].map((kind) => `audio/${kind}`),
  ...['apng', 'avif', 'gif', 'jpeg', 'png', 'webp'].map((kind) => `image/${kind}`),
  ...['mp4', 'webm'].map((kind) => `video/${kind}`),
]);

/** Whether browsers may show files of the type; others could run code, and are always downloaded. */
export function isShownInline(contentType: string): boolean {
  return INLINE_TYPES.has(contentType);
}
