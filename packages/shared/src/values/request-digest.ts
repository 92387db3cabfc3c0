import { createHash } from 'node:crypto';

const LENGTH = 22;

/** A digest of all that a request asks for, in a fixed order: it tells whether two requests with one key are the same. */
export function requestDigest(meaning: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(meaning)).digest('base64url').slice(0, LENGTH);
}
