import { randomInt } from 'node:crypto';
import { KEY_ALPHABET, KEY_LENGTH } from './key-alphabet';

/** 32 random letters and digits: an API key, or a webhook's token. */
export function randomKey(): string {
  return Array.from({ length: KEY_LENGTH }, () => KEY_ALPHABET[randomInt(KEY_ALPHABET.length)]).join('');
}
