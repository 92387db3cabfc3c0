import { createHash, randomInt } from 'node:crypto';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 24;
const PATTERN = /^[a-z2-7]{24}$/;

/** A key that nobody guesses: 24 characters of base32. */
export function makeConfirmationKey(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** What is stored of a key; null for a text that is none. */
export function hashConfirmationKey(key: string): Buffer | null {
  return PATTERN.test(key) ? createHash('sha256').update(key).digest() : null;
}
