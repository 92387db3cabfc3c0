import { createHash } from 'node:crypto';

/** What is stored of an API key. */
export function hashKey(apiKey: string): Buffer {
  return createHash('sha256').update(apiKey).digest();
}
