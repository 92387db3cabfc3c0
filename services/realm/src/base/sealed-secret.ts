import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The purpose of a sealed text; it does not open for another purpose or organization. */
export type Purpose =
  | `bind password of ${number}`
  | `client secret of ${string}`
  | `sign-in at ${number}`
  | `login token at ${number}`;

function keyOf(secret: string, purpose: Purpose): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `sealed ${purpose}`, 32));
}

/** Encrypts a text that must be readable again, by a key made of the service's secret (BOT_KEY_SECRET) and the purpose. */
export function sealSecret(secret: string, purpose: Purpose, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, purpose), nonce);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** The text; null: it was sealed with another secret, for something else, or is not sealed at all. */
export function openSecret(secret: string, purpose: Purpose, sealed: Uint8Array): string | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, purpose), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
