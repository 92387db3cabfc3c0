import type { Transaction } from '@parley/shared/db';
import { insertMissed, type NewMissed } from './missed-message.sql';

/** Stores people's missed messages, in one statement; mails follow when their batching periods are over. */
export async function missMessages(
  tx: Transaction,
  realmId: number,
  missed: readonly NewMissed[],
  nowMs: number,
): Promise<void> {
  if (missed.length > 0) await insertMissed(tx, realmId, missed, nowMs);
}
