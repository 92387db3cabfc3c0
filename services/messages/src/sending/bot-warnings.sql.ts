import { statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';

const MARK_WARNED = statement(
  `insert into bot_warning as w (realm_id, bot_id, warned_at) values ($1, $2, to_timestamp($3 / 1000.0))
   on conflict (realm_id, bot_id) do update set warned_at = excluded.warned_at
   where w.warned_at <= to_timestamp($4 / 1000.0) returning bot_id as id`,
  { id: z.number() },
);

/** Stores that the bot's owner is warned now; false if that happened recently. */
export async function markWarned(
  tx: Transaction,
  realmId: number,
  botId: number,
  { nowMs, notSinceMs }: { nowMs: number; notSinceMs: number },
): Promise<boolean> {
  const rows = await tx.query(MARK_WARNED, [realmId, botId, nowMs, notSinceMs]);
  return rows.length > 0;
}
