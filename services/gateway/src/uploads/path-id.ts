import { randomBytes, randomInt } from 'node:crypto';

const MAX_NAME_BYTES = 200;
/** For a file name without usable characters. */
export const FALLBACK_NAME = 'uploaded-file';

/** A new file's path in the store and in addresses; it cannot be guessed. */
export function newPathId(realmId: number, name: string): string {
  const shard = randomInt(256).toString(16);
  return `${realmId}/${shard}/${randomBytes(18).toString('base64url')}/${name}`;
}

/** Patterns of the parts of a path id, in the address of a file. */
export const PATH_PATTERNS = {
  realm_id: /^\d{1,15}$/,
  shard: /^[0-9a-f]{1,2}$/,
  secret: /^[\w-]{24}$/,
  name: /^(?!\.{1,2}$)[^/\\\p{Cc}]{1,255}$/u,
} as const;

export const PATH_ID_TEMPLATE = '{realm_id}/{shard}/{secret}/{name}';

/** The path id from the parameters of such a path. */
export function pathIdOf(parts: Readonly<Record<string, string>>): string {
  return [parts['realm_id'], parts['shard'], parts['secret'], parts['name']].join('/');
}

const PATH_ID = /^(?<realm_id>[^/]+)\/(?<shard>[^/]+)\/(?<secret>[^/]+)\/(?<name>[^/]+)$/;

/** Whether the text has the form of a path id. */
export function isPathId(text: string): boolean {
  const parts = PATH_ID.exec(text)?.groups;
  return (
    parts !== undefined && Object.entries(PATH_PATTERNS).every(([name, pattern]) => pattern.test(parts[name] ?? ''))
  );
}

/** A file name that is safe in an address and on a disk. */
export function safeName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}_\s.-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-');
  const short = shorten(plain);
  return ['', '.', '..'].includes(short) ? FALLBACK_NAME : short;
}

/** As above, with characters that every client accepts. */
export function safeAsciiName(name: string): string {
  return safeName(name.replace(/[^A-Za-z0-9_ .-]/g, ''));
}

/** Shortens the stem of a name, not its extension. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  const stem = Buffer.from(name)
    .subarray(0, MAX_NAME_BYTES - extension.length)
    .toString();
  return stem.replace(/\ufffd+$/, '') + extension;
}
