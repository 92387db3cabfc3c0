import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { User } from '@parley/shared/proto';

// Keys in mailed links by which people set their passwords. Nothing about them is stored.

const KEY = /^([0-9a-z]{1,9})-([0-9a-z]{8,9})-([\w-]{43})$/;

export interface ParsedKey {
  userId: number;
  expiresAtMs: number;
  signature: Buffer;
}

/** Null: no key. */
export function parseKey(key: string): ParsedKey | null {
  const [, user, end, signed] = KEY.exec(key) ?? [];
  if (user === undefined || end === undefined || signed === undefined) return null;
  const [userId, expiresAtMs] = [Number.parseInt(user, 36), Number.parseInt(end, 36)];
  return { userId, expiresAtMs, signature: Buffer.from(signed, 'base64url') };
}

/** The account that a key names, before it is verified: none or one. */
export function holdersOfKey(key: string): number[] {
  const parsed = parseKey(key);
  return parsed === null ? [] : [parsed.userId];
}

interface Signed {
  user: User;
  /** The stored hash of the present password; null: none. */
  passwordHash: string | null;
  expiresAtMs: number;
}

export function keyOf(secret: string, signed: Signed): string {
  const { user, expiresAtMs } = signed;
  return `${user.id.toString(36)}-${expiresAtMs.toString(36)}-${signature(secret, signed).toString('base64url')}`;
}

/** Whether a key is the user's, as long as the present password and address stay. */
export function isKeyOf(secret: string, user: User, passwordHash: string | null, parsed: ParsedKey): boolean {
  const { expiresAtMs } = parsed;
  return timingSafeEqual(signature(secret, { user, passwordHash, expiresAtMs }), parsed.signature);
}

/** Depends on the former password and address, so a link works once. */
function signature(secret: string, { user, expiresAtMs, passwordHash }: Signed): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'password reset', 32));
  const text = JSON.stringify([user.realmId, user.id, expiresAtMs, user.deliveryEmail, passwordHash]);
  return createHmac('sha256', key).update(text).digest();
}
