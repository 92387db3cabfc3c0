// A user who leaves a channel loses their marks as unread there, a moment later (flags/follow-channels.ts). A mark that was decided before
// must not be stored after that: it would come back on joining again, and no event would have told of it.

import { statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';

/** SQL: the key of the lock on marks as unread by the user $2. Marks share it; leaving takes it alone. */
export const UNREAD_MARKS_LOCK = `hashtextextended('marks as unread ' || $1::bigint || ' ' || $2::bigint, 0)`;

const LOCK_MARKS = statement(`select pg_advisory_xact_lock(${UNREAD_MARKS_LOCK}) as locked`, { locked: z.literal('') });

const REMEMBER_LEAVING =
  statement(`insert into left_channel as l (realm_id, user_id, channel_id, version) values ($1, $2, $3, $4)
   on conflict (realm_id, user_id, channel_id) do update set version = greatest(l.version, excluded.version)`);

/** Until the transaction ends, the user marks nothing as unread; afterwards nothing in the channel by a decision from before they left. */
export async function rememberLeaving(
  tx: Transaction,
  { realmId, userId, channelId, version }: { realmId: number; userId: number; channelId: number; version: number },
): Promise<void> {
  await tx.query(LOCK_MARKS, [realmId, userId]);
  await tx.query(REMEMBER_LEAVING, [realmId, userId, channelId, version]);
}
