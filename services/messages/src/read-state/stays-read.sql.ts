// A user who leaves a channel or mutes somebody loses their marks as unread there, a moment later (flags/follow-channels.ts); when a channel is
// archived, everybody loses theirs. A mark that was decided before must not be stored after that: no event would tell that it is void.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, onlyRow, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';

/** SQL: the keys of the locks on marks as unread: those of the user $2, and those in a channel. Marks share them. */
export const USERS_MARKS_LOCK = `hashtextextended('marks as unread ' || $1::bigint || ' ' || $2::bigint, 0)`;
export const marksInChannelLock = (channelId: string) =>
  `hashtextextended('marks as unread in ' || $1::bigint || ' ' || ${channelId}::bigint, 0)`;

/** SQL: the key of the lock on what is sent in an organization. Sends share it. */
export const sendsLock = (realmId: string) => `hashtextextended('sends ' || ${realmId}::bigint, 0)`;

const lock = (key: string) => statement(`select pg_advisory_xact_lock(${key}) as locked`, { locked: z.literal('') });
const LOCK_USERS_MARKS = lock(USERS_MARKS_LOCK);
const LOCK_MARKS_IN_CHANNEL = lock(marksInChannelLock('$2'));

const REMEMBER_LEAVING = statement(`insert into left_channel as l (realm_id, user_id, channel_id, version)
   select $1, $2, channel_id, version from unnest($3::bigint[], $4::bigint[]) as left_one (channel_id, version) order by channel_id
   on conflict (realm_id, user_id, channel_id) do update set version = greatest(l.version, excluded.version)`);

/** A channel that a user left, and the subscription version of leaving. */
export interface LeftChannel {
  channelId: number;
  version: number;
}

/** Until the transaction ends, the user marks nothing as unread. */
export async function lockUsersMarks(tx: Transaction, realmId: number, userId: number): Promise<void> {
  await tx.query(LOCK_USERS_MARKS, [realmId, userId]);
}

const LOCK_USERS_MARKS_AND_SENDS = statement(
  `select pg_advisory_xact_lock(${USERS_MARKS_LOCK}) as locked, pg_advisory_xact_lock(${sendsLock('$1')}) as held`,
  { locked: z.literal(''), held: z.literal('') },
);

/**
 * Until the transaction ends, the user marks nothing as unread, and nothing is sent in the organization. So each message is either visible to
 * its statements and announced before its events, or sent afterwards. Held for a few milliseconds only.
 */
export async function lockUsersMarksAndSends(tx: Transaction, realmId: number, userId: number): Promise<void> {
  await tx.query(LOCK_USERS_MARKS_AND_SENDS, [realmId, userId]);
}

const TRY_WITHOUT_SENDS = statement(
  `select case when pg_try_advisory_xact_lock(${sendsLock('$1')}) then (select last_value from message_id) end as id`,
  { id: z.number().nullable() },
);
const ATTEMPTS = 25;
const PAUSE_MS = 10;

/**
 * Waits for a moment at which nothing is being sent in the organization, without delaying sends. Returns an id: all messages up to it are visible to
 * later statements. A message can be stored after others with higher ids: marked as read with them, it would be read without an event. Where
 * sends follow one another without a gap, or one takes long, it gives up after a quarter of a second. Not in a transaction.
 */
export async function waitForSends(db: Pick<Database, 'query'>, realmId: number): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await sleep(PAUSE_MS);
    const { id } = onlyRow(await db.query(TRY_WITHOUT_SENDS, [realmId]));
    if (id !== null) return id;
  }
  return Number.MAX_SAFE_INTEGER;
}

/**
 * Until the transaction ends, the user marks nothing as unread; afterwards nothing in the channels by a decision from before they
 * left.
 */
export async function rememberLeaving(
  tx: Transaction,
  realmId: number,
  userId: number,
  left: readonly LeftChannel[],
): Promise<void> {
  await lockUsersMarks(tx, realmId, userId);
  const versions = left.map(({ version }) => version);
  await tx.query(REMEMBER_LEAVING, [realmId, userId, left.map(({ channelId }) => channelId), versions]);
}

const ARCHIVED = {
  add: statement(`insert into archived_channel (realm_id, channel_id) values ($1, $2) on conflict do nothing`),
  remove: statement(`delete from archived_channel where realm_id = $1 and channel_id = $2`),
};

/** Until the transaction ends, nobody marks a message in the channel as unread; afterwards nobody while it is archived. */
export async function rememberArchived(
  tx: Transaction,
  { realmId, channelId, isArchived }: { realmId: number; channelId: number; isArchived: boolean },
): Promise<void> {
  await tx.query(LOCK_MARKS_IN_CHANNEL, [realmId, channelId]);
  await tx.query(isArchived ? ARCHIVED.add : ARCHIVED.remove, [realmId, channelId]);
}

const MUTED = {
  add: statement(`insert into muted_sender (realm_id, user_id, sender_id) values ($1, $2, $3) on conflict do nothing`),
  remove: statement(`delete from muted_sender where realm_id = $1 and user_id = $2 and sender_id = $3`),
};

/** Until the transaction ends, the user marks nothing as unread; afterwards nothing of this sender while they are muted. */
export async function rememberMuted(
  tx: Transaction,
  { realmId, userId, senderId, isMuted }: { realmId: number; userId: number; senderId: number; isMuted: boolean },
): Promise<void> {
  await lockUsersMarks(tx, realmId, userId);
  await tx.query(isMuted ? MUTED.add : MUTED.remove, [realmId, userId, senderId]);
}
