import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { ChainEnd, EntryRow, Head } from './audit.sql';

/** What stands in the place of a hash before the first entry. */
export const BEGINNING = Buffer.alloc(32);

export function entryHash(former: Buffer, entry: string): Buffer {
  return createHash('sha256').update(former).update(entry).digest();
}

/** The chain's end as only who knows the secret can make it. */
export function signHead(secret: string, realmId: number, { seq, hash }: ChainEnd): Head {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'parley audit head', 32));
  const signature = createHmac('sha256', key).update(`${realmId}:${seq}:`).update(hash).digest();
  return { seq, hash, signature };
}

export function isSignedHead(secret: string, realmId: number, head: Head): boolean {
  const { signature } = signHead(secret, realmId, head);
  return signature.length === head.signature.length && timingSafeEqual(signature, head.signature);
}

/** Why the entry cannot be the one that follows; null if it can. */
export function findBreak(realmId: number, former: ChainEnd, { seq, entry, hash }: EntryRow): string | null {
  if (seq !== former.seq + 1) return `entry ${former.seq + 1} is missing`;
  if (!entryHash(former.hash, entry).equals(hash)) return `entry ${seq} was changed, or is not the one that was there`;
  const { realm, seq: number } = JSON.parse(entry) as { realm: number; seq: number };
  return realm === realmId && number === seq ? null : `entry ${seq} belongs elsewhere`;
}
