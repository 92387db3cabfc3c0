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

/** The act by which an organization goes on as another one, where it was imported. */
export const IMPORT_ACT = 'import-realm';

/** The chain up to an entry, and in whose log that was written; null before the first. */
export interface Link extends ChainEnd {
  realmId: number | null;
}

interface Written {
  realm: number;
  seq: number;
  act: string;
  before?: { realm?: number };
}

/** The chain with the entry; a text: why the entry cannot be the one that follows. */
export function nextLink(former: Link, { seq, entry, hash }: EntryRow): Link | string {
  if (seq !== former.seq + 1) return `entry ${former.seq + 1} is missing`;
  if (!entryHash(former.hash, entry).equals(hash)) return `entry ${seq} was changed, or is not the one that was there`;
  const { realm, seq: number, act, before } = JSON.parse(entry) as Written;
  const isSame = former.realmId === null || former.realmId === realm;
  const goesOn = isSame || (act === IMPORT_ACT && before?.realm === former.realmId);
  return goesOn && number === seq ? { seq, hash, realmId: realm } : `entry ${seq} belongs elsewhere`;
}
