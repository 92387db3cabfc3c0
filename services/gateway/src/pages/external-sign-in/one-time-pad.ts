import { createCipheriv, randomBytes } from 'node:crypto';
import { BadRequestError } from '@parley/shared/errors';
import type { SentParameters } from '../../http/decode-parameters';

// A client without a browser of its own opens the sign-in in one, with 32 random bytes in the address. What comes back passes the
// browser, and perhaps the clipboard: encrypted with these bytes, so that only that client can read it.

const PAD = /^[\da-f]{64}$/i;
const IV_BYTES = 12;
/** As the clients name their pads. */
const [PHONE_PAD, DESKTOP_PAD] = ['mobile_flow_otp', 'desktop_flow_otp'] as const;

/** A client's pad, as hex digits; at most one of the two. */
export interface SentPads {
  phone: string | undefined;
  desktop: string | undefined;
}

/** Throws the errors that clients know. */
export function readPads(sent: SentParameters): SentPads {
  const [phone, desktop] = [PHONE_PAD, DESKTOP_PAD].map((name) => sent.get(name));
  if ([phone, desktop].some((pad) => pad !== undefined && !PAD.test(pad))) throw new BadRequestError('Invalid OTP');
  if (phone !== undefined && desktop !== undefined) {
    throw new BadRequestError("Can't use both mobile_flow_otp and desktop_flow_otp together.");
  }
  return { phone, desktop };
}

/** For phones: an API key of 32 characters, each byte combined with the pad's. The pad is used once, so this tells nothing about the key. */
export function hideKey(apiKey: string, pad: string): string {
  const [key, bytes] = [Buffer.from(apiKey, 'ascii'), Buffer.from(pad, 'hex')];
  if (key.length !== bytes.length) throw new Error('the key is not as long as the pad');
  return Buffer.from(key.map((byte, at) => byte ^ (bytes[at] as number))).toString('hex');
}

/** For the clipboard: AES-256-GCM with the pad as key; the initialization vector, the text, and the tag that proves it. */
export function seal(text: string, pad: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(pad, 'hex'), iv);
  return Buffer.concat([iv, cipher.update(text, 'ascii'), cipher.final(), cipher.getAuthTag()]).toString('hex');
}
