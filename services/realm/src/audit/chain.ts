import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Transaction } from '@parley/shared/db';
import type { Context } from '../context';
import {
  type ChainEnd,
  type EntryRow,
  type Head,
  holdHead,
  insertEntries,
  isRecorded,
  listEntriesAfter,
  storeHead,
} from './audit.sql';

/** The actor and time of an act. */
export interface Deed {
  act: string;
  /**
   * An operator works at the command line, possibly in a user's name; `scim`: an identity provider with the token of that id;
   * `service`: the caller was not authenticated.
   */
  actor: { kind: 'user' | 'scim'; id: number } | { kind: 'operator'; id?: number } | { kind: 'service' };
  requestId: string;
  /** The client's address, for requests from outside. */
  address?: string;
  /** The id of an act that another service announced: recorded once. */
  event?: string;
}

/** The subject of an act, and its changes. */
export interface Effect {
  subject: { kind: string; id: number };
  /** Changed fields; absent for acts that change nothing. */
  before?: Readonly<Record<string, unknown>>;
  after?: Readonly<Record<string, unknown>>;
}

/**
 * Appends an act to the organization's audit log, in the act's transaction. Called last: it locks the organization's log until the
 * transaction ends.
 */
export async function appendEntries(
  ctx: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  realmId: number,
  { event, ...deed }: Deed,
  effects: readonly Effect[],
): Promise<void> {
  if (effects.length === 0) return;
  const end = await holdHead(tx, realmId, BEGINNING);
  if (event !== undefined && (await isRecorded(tx, realmId, event))) return;
  const written = effects.map((effect) => ({ ...deed, ...effect }));
  await append(ctx, tx, { realmId, end, written, event: event ?? null });
}

/** Appends several acts with one effect each, which share a transaction; else as appendEntries(). */
export async function appendActs(
  ctx: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  realmId: number,
  acts: readonly { deed: Omit<Deed, 'event'>; effect: Effect }[],
): Promise<void> {
  if (acts.length === 0) return;
  const end = await holdHead(tx, realmId, BEGINNING);
  const written = acts.map(({ deed, effect }) => ({ ...deed, ...effect }));
  await append(ctx, tx, { realmId, end, written, event: null });
}

interface Appended {
  realmId: number;
  /** Of the chain, before. */
  end: ChainEnd;
  written: readonly object[];
  event: string | null;
}

async function append(
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  { realmId, end: former, written, event }: Appended,
): Promise<void> {
  let end = former;
  const at = new Date(clock.now()).toISOString();
  const rows = written.map((each): EntryRow => {
    const seq = end.seq + 1;
    const entry = JSON.stringify({ realm: realmId, seq, at, ...each });
    const row = { seq, entry, hash: entryHash(end.hash, entry) };
    end = row;
    return row;
  });
  await insertEntries(tx, realmId, rows, event);
  await storeHead(tx, realmId, signHead(config.BOT_KEY_SECRET, realmId, end));
}

const PAGE = 1_000;

/**
 * Follows an organization's chain as far as it is valid, with the reason where it ends. Its last entry belongs to `ownerId`: the
 * organization itself, unless it is in import.
 */
export async function followChain(
  tx: Transaction,
  realmId: number,
  ownerId: number = realmId,
): Promise<{ end: Link; fault: string | null }> {
  let end: Link = { seq: 0, hash: BEGINNING, realmId: null };
  for (;;) {
    const rows = await listEntriesAfter(tx, realmId, end.seq, PAGE);
    for (const row of rows) {
      const next = nextLink(end, row);
      if (typeof next === 'string') return { end, fault: next };
      end = next;
    }
    if (rows.length < PAGE) break;
  }
  const isOwn = end.realmId === null || end.realmId === ownerId;
  return { end, fault: isOwn ? null : `entry ${end.seq} belongs elsewhere` };
}

/** The previous hash of the first entry. */
const BEGINNING = Buffer.alloc(32);

function entryHash(former: Buffer, entry: string): Buffer {
  return createHash('sha256').update(former).update(entry).digest();
}

/** Signs the chain's end with the secret. */
function signHead(secret: string, realmId: number, { seq, hash }: ChainEnd): Head {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'parley audit head', 32));
  const signature = createHmac('sha256', key).update(`${realmId}:${seq}:`).update(hash).digest();
  return { seq, hash, signature };
}

export function isSignedHead(secret: string, realmId: number, head: Head): boolean {
  const { signature } = signHead(secret, realmId, head);
  return signature.length === head.signature.length && timingSafeEqual(signature, head.signature);
}

/** The act in which an imported organization continues its log. */
export const IMPORT_ACT = 'import-realm';

/** The chain up to an entry, and the organization whose log that is; null before the first. */
interface Link extends ChainEnd {
  realmId: number | null;
}

interface Written {
  realm: number;
  seq: number;
  act: string;
  before?: { realm?: number };
}

/** The chain including the entry; a text is the reason why the entry does not follow. */
function nextLink(former: Link, { seq, entry, hash }: EntryRow): Link | string {
  if (seq !== former.seq + 1) return `entry ${former.seq + 1} is missing`;
  if (!entryHash(former.hash, entry).equals(hash)) return `entry ${seq} was changed, or is not the one that was there`;
  const { realm, seq: number, act, before } = JSON.parse(entry) as Written;
  const isSame = former.realmId === null || former.realmId === realm;
  const goesOn = isSame || (act === IMPORT_ACT && before?.realm === former.realmId);
  return goesOn && number === seq ? { seq, hash, realmId: realm } : `entry ${seq} belongs elsewhere`;
}
