import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** What a sealed text is for; one that was sealed for something else does not open. */
export type Purpose = `client secret of ${string}` | `sign-in at ${number}` | `login token at ${number}`;

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'parley oidc', 32));
}

/** Encrypts a text by a key made of the service's secret (BOT_KEY_SECRET). */
export function seal(secret: string, purpose: Purpose, text: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), iv).setAAD(Buffer.from(purpose));
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** The text; null: it was sealed with another secret, for something else, or is not sealed at all. */
export function unseal(secret: string, purpose: Purpose, sealed: Uint8Array): string | null {
  if (sealed.length < IV_BYTES + TAG_BYTES) return null;
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, IV_BYTES));
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

export function hashOf(...texts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(texts)).digest();
}
