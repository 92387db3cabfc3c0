import { createHash } from 'node:crypto';

const LENGTH = 22;

/** A digest of a whole request, in a fixed order: two requests with one key are the same if their digests are. */
export function requestDigest(meaning: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(meaning)).digest('base64url').slice(0, LENGTH);
}
