import { createHash } from 'node:crypto';

const LENGTH = 22;

/** What tells whether two requests with one key are the same one: a digest of all that they ask for, in a fixed order. */
export function requestDigest(meaning: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(meaning)).digest('base64url').slice(0, LENGTH);
}
