import { createHash, hkdfSync } from 'node:crypto';

/** What a key is of: an e-mail invitation or a reusable link. Of the ids each kind has its own. */
export type KeyKind = 'invitation' | 'link';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const BITS_PER_LETTER = 5;
const BYTES = 15;

/** Every key is written like that; texts that are not need not be looked up. */
export const KEY_PATTERN = /^[a-z2-7]{24}$/;

/**
 * The key that belongs to a salt: a link can be shown again, and a mail be sent again, and yet only the key's hash is stored.
 * Neither the salt nor the service's secret tells anything of it without the other.
 */
export function invitationKey(
  secret: string,
  { realmId, kind, id }: { realmId: number; kind: KeyKind; id: number },
  salt: Buffer,
): string {
  const bytes = new Uint8Array(hkdfSync('sha256', secret, salt, `${kind} key ${realmId} ${id}`, BYTES));
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(new RegExp(`.{${BITS_PER_LETTER}}`, 'g')) as string[];
  return letters.map((letter) => ALPHABET[Number.parseInt(letter, 2)]).join('');
}

/** What is stored of a key. It has too many possible values to be guessed, so that a fast hash will do. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
