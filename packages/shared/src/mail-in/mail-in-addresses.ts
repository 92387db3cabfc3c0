import { createHash } from 'node:crypto';

/**
 * What mail to an address becomes: a reply to a missed-message mail, a report that such a mail was not delivered, or a message to a
 * channel.
 */
export type MailInKind = 'reply' | 'bounce' | 'channel';

/** Options in a channel's address, as clients write them; unknown ones make an address invalid. */
export const CHANNEL_MAIL_OPTIONS = [
  'show-sender',
  'include-footer',
  'include-quotes',
  'prefer-html',
  'prefer-text',
] as const;

export type ChannelMailOption = (typeof CHANNEL_MAIL_OPTIONS)[number];

/** An address at MAIL_IN_DOMAIN; only its token counts. */
export interface MailInAddress {
  kind: MailInKind;
  token: string;
  options: ReadonlySet<ChannelMailOption>;
}

/** The first letter of the local part's token says what it is for, since the words around it can be anything. */
const LETTERS: Readonly<Record<MailInKind, string>> = { reply: 'r', bounce: 'b', channel: 'c' };

/** 128 bits, in letters that survive servers that change the case. */
const TOKEN_BYTES = 16;
const TOKEN_LENGTH = 26;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** A token of the first 16 of the bytes, which must be secret and random. */
export function mailInToken(secret: Uint8Array): string {
  let bits = 0n;
  for (const byte of secret.subarray(0, TOKEN_BYTES)) bits = (bits << 8n) | BigInt(byte);
  bits <<= BigInt(TOKEN_LENGTH * 5 - TOKEN_BYTES * 8);
  return Array.from(
    { length: TOKEN_LENGTH },
    (_, at) => ALPHABET[Number((bits >> BigInt(5 * (TOKEN_LENGTH - 1 - at))) & 31n)],
  ).join('');
}

/** The stored form of a token. */
export function hashMailInToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Where replies to a mail go. */
export function replyAddress(token: string, domain: string): string {
  return `reply.${LETTERS.reply}${token}@${domain}`;
}

/** The envelope sender of a mail: where servers report that it was not delivered. Has the token of the replies. */
export function bounceAddress(token: string, domain: string): string {
  return `bounce.${LETTERS.bounce}${token}@${domain}`;
}

/** RFC 5321's bound of the part before the @. */
const MAX_LOCAL_LENGTH = 64;

/** A channel's address; its name is in it for people only, as far as there is room. */
export function channelAddress(channelName: string, token: string, domain: string): string {
  const rest = `${LETTERS.channel}${token}.show-sender`;
  const slug = slugOf(channelName)
    .slice(0, MAX_LOCAL_LENGTH - rest.length - 1)
    .replace(/-+$/, '');
  return `${slug === '' ? '' : `${slug}.`}${rest}@${domain}`;
}

function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** More than any address that is handed out, with all options. */
const MAX_ADDRESS_LENGTH = 320;

/** The address as it was handed out, in any casing; null: it is none of this domain's. */
export function parseMailInAddress(address: string, domain: string): MailInAddress | null {
  const at = address.lastIndexOf('@');
  if (address.length > MAX_ADDRESS_LENGTH || address.slice(at + 1).toLowerCase() !== domain) return null;
  const parts = address.slice(0, at).toLowerCase().split(/[.+]/);
  const options = new Set<ChannelMailOption>();
  while (isOption(parts.at(-1))) options.add(parts.pop() as ChannelMailOption);
  const [letter = '', token] = splitToken(parts.at(-1) ?? '');
  const [kind] = Object.entries(LETTERS).find(([, each]) => each === letter) ?? [];
  if (kind === undefined || !/^[a-z2-7]{26}$/.test(token) || parts.length > 2) return null;
  return { kind: kind as MailInKind, token, options };
}

const isOption = (part: string | undefined) => CHANNEL_MAIL_OPTIONS.some((option) => option === part);
const splitToken = (part: string): [string, string] => [part.slice(0, 1), part.slice(1)];
