import { hkdfSync } from 'node:crypto';
import { KEY_ALPHABET, KEY_LENGTH } from './key-alphabet';

/** So many that hardly ever fewer than a key's length are fair. */
const BYTES = 128;
/** Bytes from there on would make the first letters more likely than the others. */
const UNFAIR_FROM = 256 - (256 % KEY_ALPHABET.length);

/**
 * The API key that belongs to a salt: whoever manages a bot may see its key at any time, and yet only its hash is stored. Neither
 * the salt nor the service's secret tells anything of it without the other.
 */
export function botKey(secret: string, { realmId, userId }: { realmId: number; userId: number }, salt: Buffer): string {
  const bytes = new Uint8Array(hkdfSync('sha256', secret, salt, `bot key ${realmId} ${userId}`, BYTES));
  return Array.from(bytes.filter((byte) => byte < UNFAIR_FROM))
    .slice(0, KEY_LENGTH)
    .map((byte) => KEY_ALPHABET[byte % KEY_ALPHABET.length])
    .join('');
}
