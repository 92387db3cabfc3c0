import { type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import type { MessageOfUser } from '@parley/shared/proto';
import { z } from 'zod';
import { beganReadBy } from './is-read';
import { STORED_STATE, STORED_STATE_ROW } from './read-state.sql';

/** Flags that a user may set on messages beside `read`. */
export type PersonalFlag = 'starred' | 'collapsed';

const STAR = statement(
  `insert into personal_flag as f (realm_id, user_id, message_id, is_starred)
   select $1, $2, m.id, true from message m where m.realm_id = $1 and m.id = $3 for key share
   on conflict (realm_id, user_id, message_id) do update set is_starred = true, is_star_shown = true
   where not (f.is_starred and f.is_star_shown)
   returning f.message_id as id`,
  { id: z.number() },
);

/** Stars a message that the user has received, unless it is being deleted; returns whether that is to be announced. */
export async function starMessage(sql: Sql, realmId: number, userId: number, messageId: number): Promise<boolean> {
  const rows = await sql.query(STAR, [realmId, userId, messageId]);
  return rows.length > 0;
}

const LIST_FLAG_HOLDERS = statement(
  'select distinct user_id as "userId" from personal_flag where realm_id = $1 and message_id = any($2::bigint[])',
  { userId: z.number() },
);

/** Users with flags on any of the messages. */
export async function listFlagHolders(sql: Sql, realmId: number, messageIds: readonly number[]): Promise<number[]> {
  const rows = await sql.query(LIST_FLAG_HOLDERS, [realmId, messageIds]);
  return rows.map(({ userId }) => userId);
}

/** SQL for `holderIds` of a message `m`: users with flags on it who did not receive it; as flag_holders(). */
export const HOLDER_IDS = `array(
    select h.user_id from personal_flag h where h.realm_id = m.realm_id and h.message_id = m.id and h.is_historical
    order by h.user_id) as "holderIds"`;

const LIST_HISTORICAL_HOLDERS = statement(
  `select distinct user_id as "userId" from personal_flag
   where realm_id = $1 and message_id = any($2::bigint[]) and is_historical`,
  { userId: z.number() },
);

/** The same for any of the messages. */
export async function listHistoricalHolders(
  sql: Sql,
  realmId: number,
  messageIds: readonly number[],
): Promise<number[]> {
  const rows = await sql.query(LIST_HISTORICAL_HOLDERS, [realmId, messageIds]);
  return rows.map(({ userId }) => userId);
}

const LIST_HOLDERS_IN = statement(
  `select distinct f.user_id as "userId" from message m join personal_flag f on f.realm_id = $1 and f.message_id = m.id
   where m.realm_id = $1 and f.is_historical and m.conversation_id = any(array(
     select $2::bigint union select id from topic where realm_id = $1 and channel_id = $3 and name_key = $4))`,
  { userId: z.number() },
);

/** The same for any of the messages of a topic, and of the one that it may move to. */
export async function listHoldersIn(
  sql: Sql,
  realmId: number,
  conversationId: number,
  target: { channelId: number; key: string },
): Promise<number[]> {
  const rows = await sql.query(LIST_HOLDERS_IN, [realmId, conversationId, target.channelId, target.key]);
  return rows.map(({ userId }) => userId);
}

const FORGET_PERSONAL_FLAGS = statement(
  `with gone as (
     delete from personal_flag where realm_id = $1 and message_id = any($2::bigint[]) and user_id = any($3::bigint[])
     returning user_id, message_id, is_starred and is_star_shown as is_announced
   )
   select user_id as "userId", message_id as "messageId" from gone where is_announced order by user_id, message_id`,
  { userId: z.number(), messageId: z.number() },
);

/** Deletes the users' flags on the messages; returns the stars that clients have. */
export function forgetPersonalFlags(
  sql: Sql,
  realmId: number,
  messageIds: readonly number[],
  userIds: readonly number[],
): Promise<{ userId: number; messageId: number }[]> {
  return sql.query(FORGET_PERSONAL_FLAGS, [realmId, messageIds, userIds]);
}

/** SQL for the ids of the stars that the user's clients have, the oldest messages first, as an array. The arguments are SQL. */
export function shownStarsOf(realmId: string, userId: string, limit: string): string {
  return `array(select message_id from personal_flag
    where realm_id = ${realmId} and user_id = ${userId} and is_starred and is_star_shown order by message_id limit ${limit})`;
}

/** SQL for whether the user has any star, shown or not. The arguments are SQL. */
export function hasStars(realmId: string, userId: string): string {
  return `exists (select from personal_flag where realm_id = ${realmId} and user_id = ${userId} and is_starred)`;
}

const MARK_STARS_SHOWN = statement(
  `with changing as (
     select f.user_id, f.message_id, wanted.is_shown
     from unnest($2::bigint[], $3::bigint[], $4::boolean[]) as wanted (user_id, message_id, is_shown)
     join personal_flag f on f.realm_id = $1 and f.user_id = wanted.user_id and f.message_id = wanted.message_id
     where f.is_starred and f.is_star_shown <> wanted.is_shown
     order by f.user_id, f.message_id for update of f
   ), marked as (
     update personal_flag f set is_star_shown = c.is_shown from changing c
     where f.realm_id = $1 and f.user_id = c.user_id and f.message_id = c.message_id
   )
   select user_id as "userId", message_id as "messageId", is_shown as "isShown" from changing order by 1, 2`,
  { userId: z.number(), messageId: z.number(), isShown: z.boolean() },
);

/** Whether the clients of a user have a star of theirs. */
export type StarShown = RowOf<typeof MARK_STARS_SHOWN>;

/** Stores which stars clients have; returns the changed ones, by user and message. */
export function markStarsShown(tx: Transaction, realmId: number, stars: readonly StarShown[]): Promise<StarShown[]> {
  return tx.query(MARK_STARS_SHOWN, [
    realmId,
    stars.map(({ userId }) => userId),
    stars.map(({ messageId }) => messageId),
    stars.map(({ isShown }) => isShown),
  ]);
}

const SHOW_HIDDEN_STARS = statement(
  `update personal_flag set is_star_shown = true
   where realm_id = $1 and message_id = any($2::bigint[]) and is_starred and not is_star_shown
   returning user_id as "userId", message_id as "messageId"`,
  { userId: z.number(), messageId: z.number() },
);

/** Shows all hidden stars of the messages; returns their users. */
export function showHiddenStars(
  tx: Transaction,
  realmId: number,
  messageIds: readonly number[],
): Promise<{ userId: number; messageId: number }[]> {
  return tx.query(SHOW_HIDDEN_STARS, [realmId, messageIds]);
}

const STORED_FLAGS = {
  ...STORED_STATE_ROW,
  /** There is no such message, or no longer. */
  isGone: z.boolean(),
  hasBegunRead: z.boolean(),
};

export type StoredFlags = z.infer<z.ZodObject<typeof STORED_FLAGS>>;

/**
 * The row of a table with that key, if there is one. NOTE: the limit makes the planner look up each question: for a large batch
 * it would otherwise scan whole tables, which grow with the number of readers.
 */
const found = (alias: string, table: string, columns: string, key: string) =>
  `left join lateral (select ${columns} from ${table} where realm_id = q.realm_id and ${key} limit 1) ${alias} on true`;

const LOAD = statement(
  `select m.id is null as "isGone",
     coalesce(m.sender_id = q.user_id and m.is_read_by_sender or ${beganReadBy('q.user_id')}, false) as "hasBegunRead", ${STORED_STATE}
   from unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality as q (realm_id, message_id, user_id, nth)
   ${found('m', 'message', 'id, sender_id, is_read_by_sender, read_by_ids, channel_id, conversation_id', 'id = q.message_id')}
   ${found('w', 'read_watermark', 'message_id', 'user_id = q.user_id')}
   ${found('c', 'channel_read_watermark', 'message_id', 'user_id = q.user_id and channel_id = m.channel_id')}
   ${found('e', 'read_exception', 'read, unread, unpassed', 'user_id = q.user_id and conversation_id = m.conversation_id')}
   ${found('f', 'personal_flag', 'is_starred, is_collapsed, is_historical, is_called', 'user_id = q.user_id and message_id = q.message_id')}
   order by q.nth`,
  STORED_FLAGS,
);

/** The stored flags of users on messages, in the order of the questions. */
export function loadFlagsOfUsers(sql: Sql, questions: readonly MessageOfUser[]): Promise<StoredFlags[]> {
  return sql.query(LOAD, [
    questions.map(({ realmId }) => realmId),
    questions.map(({ messageId }) => messageId),
    questions.map(({ userId }) => userId),
  ]);
}
