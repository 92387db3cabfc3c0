import type { Transaction } from '@parley/shared/db';
import type { Context } from '../context';
import { type EntryRow, holdHead, insertEntries, isRecorded, storeHead } from './audit.sql';
import { BEGINNING, entryHash, signHead } from './chain';

/** Who did it, and when. */
export interface Deed {
  act: string;
  /** An operator works at the command line, perhaps in somebody's name; `service`: for somebody who has shown no key. */
  actor: { kind: 'user'; id: number } | { kind: 'operator'; id?: number } | { kind: 'service' };
  requestId: string;
  /** Where the request came from, if it came from outside. */
  address?: string;
  /** Of an act that another service announced: it is recorded once. */
  event?: string;
}

/** To what it was done. */
export interface Effect {
  subject: { kind: string; id: number };
  /** Fields that are not what they were; absent when nothing was to change. */
  before?: Readonly<Record<string, unknown>>;
  after?: Readonly<Record<string, unknown>>;
}

/**
 * Adds to the organization's audit log what was done, in the transaction in which it is done. To be called last: until the transaction
 * ends nobody else adds to the log of that organization.
 */
export async function appendEntries(
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  realmId: number,
  { event, ...deed }: Deed,
  effects: readonly Effect[],
): Promise<void> {
  if (effects.length === 0) return;
  let end = await holdHead(tx, realmId, BEGINNING);
  if (event !== undefined && (await isRecorded(tx, realmId, event))) return;
  const at = new Date(clock.now()).toISOString();
  const rows = effects.map((effect): EntryRow => {
    const seq = end.seq + 1;
    const entry = JSON.stringify({ realm: realmId, seq, at, ...deed, ...effect });
    const row = { seq, entry, hash: entryHash(end.hash, entry) };
    end = row;
    return row;
  });
  await insertEntries(tx, realmId, rows, event ?? null);
  await storeHead(tx, realmId, signHead(config.BOT_KEY_SECRET, realmId, end));
}
