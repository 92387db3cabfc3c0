import { createHash, randomInt } from 'node:crypto';

/** 32 random letters and digits: an API key, or a webhook's token. */
export function randomKey(): string {
  return Array.from({ length: KEY_LENGTH }, () => KEY_ALPHABET[randomInt(KEY_ALPHABET.length)]).join('');
}

/** A random API key or webhook token, in the form that the gateway accepts as a key. */
export const KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const KEY_LENGTH = 32;

/** The stored form of an API key. */
export function hashKey(apiKey: string): Buffer {
  return createHash('sha256').update(apiKey).digest();
}
