import type { Transaction } from '@parley/shared/db';
import { insertMissed, type Missing, type NewMissed } from './missed-message.sql';

/** People and the reason for which they get a mail about a message; null: they get none. */
type MaybeMissed = Omit<NewMissed, 'trigger'> & { mail: string | null };

/** Stores people's missed messages, in one statement; mails follow when their batching periods are over. */
export async function missMessages(
  tx: Transaction,
  realmId: number,
  messages: readonly MaybeMissed[],
  missing: Missing,
): Promise<void> {
  const missed = messages.flatMap(({ mail, ...message }) => (mail === null ? [] : [{ ...message, trigger: mail }]));
  if (missed.length > 0) await insertMissed(tx, realmId, missed, missing);
}
