import { eventText } from '@parley/shared/bus';
import { type Sql, statement, type Transaction } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import { z } from 'zod';
import { USERS_MARKS_LOCK } from './stays-read.sql';

/** The stored state of a reader on a message. */
export const STORED_STATE_ROW = {
  isMarkedRead: z.boolean(),
  isMarkedUnread: z.boolean(),
  /** One of the watermarks has passed it. */
  isPassed: z.boolean(),
  isStarred: z.boolean(),
  isCollapsed: z.boolean(),
  /** The reader has a flag on a message that they did not receive. */
  isHistorical: z.boolean(),
  /** A bot that got the message by a mention, outside of the channel. */
  isCalled: z.boolean(),
};

export type StoredReadState = z.infer<z.ZodObject<typeof STORED_STATE_ROW>> & { messageId: number };

/**
 * Columns of STORED_STATE_ROW for a message `m`, with the rows of a user: the watermarks `w` and `c`, the exception `e` and the personal flag `f`.
 */
export const STORED_STATE = `coalesce(e.read @> m.id, false) as "isMarkedRead",
     coalesce(e.unread @> m.id, false) as "isMarkedUnread",
     coalesce(m.id <= greatest(w.message_id, c.message_id, 0) and not coalesce(e.unpassed @> m.id, false), false) as "isPassed",
     coalesce(f.is_starred, false) as "isStarred", coalesce(f.is_collapsed, false) as "isCollapsed",
     coalesce(f.is_historical, false) as "isHistorical", coalesce(f.is_called, false) as "isCalled"`;
const MARK_READ = statement(`insert into read_exception as e (realm_id, user_id, conversation_id, read)
   select $1, $2, conversation_id, ids from mark_ranges($1, $3)
   on conflict (realm_id, user_id, conversation_id)
   do update set read = e.read + excluded.read, unread = e.unread - excluded.read`);

/** Marks the messages as read, wherever they are now. To be called under shareReadStateOf(). */
export async function markMessagesRead(
  tx: Transaction,
  realmId: number,
  userId: number,
  messageIds: readonly number[],
): Promise<void> {
  await tx.query(MARK_READ, [realmId, userId, messageIds]);
}

const MARK_CONVERSATION_READ = statement(`insert into read_exception as e (realm_id, user_id, conversation_id, read)
   select $1, $2, id, int8multirange(int8range(1, $4, '[]')) from topic where realm_id = $1 and id = $3
   on conflict (realm_id, user_id, conversation_id)
   do update set read = e.read + excluded.read, unread = e.unread - excluded.read`);

/** A channel or a conversation of a user, and the newest message there that becomes read. */
interface ReadTo {
  realmId: number;
  userId: number;
  id: number;
  toId: number;
}

/** Marks everything in a conversation as read up to that message. */
export async function markConversationRead(sql: Sql, { realmId, userId, id, toId }: ReadTo): Promise<void> {
  await sql.query(MARK_CONVERSATION_READ, [realmId, userId, id, toId]);
}

const MARK_CHANNEL_READ = statement(`with superseded as (
     update read_exception e
     set unread = '{}', unpassed = '{}', read = e.read - int8multirange(int8range(null, $4, '(]'))
     from topic t
     where e.realm_id = $1 and e.user_id = $2 and t.realm_id = $1 and t.id = e.conversation_id and t.channel_id = $3
   )
   insert into channel_read_watermark as w (realm_id, user_id, channel_id, message_id) values ($1, $2, $3, $4)
   on conflict (realm_id, user_id, channel_id) do update set message_id = greatest(w.message_id, excluded.message_id)`);

/** Marks everything in a channel as read up to that message, and deletes the marks of single messages there. */
export async function markChannelRead(sql: Sql, { realmId, userId, id, toId }: ReadTo): Promise<void> {
  await sql.query(MARK_CHANNEL_READ, [realmId, userId, id, toId]);
}

const MARK_CHANNEL_READ_FOR_ALL = statement(`with superseded as (
     update read_exception e set read = e.read + e.unread + e.unpassed, unread = '{}', unpassed = '{}' from topic t
     where e.realm_id = $1 and t.realm_id = $1 and t.channel_id = $2 and e.conversation_id = t.id
       and (e.unread <> '{}' or e.unpassed <> '{}')
   )
   insert into channel_read_watermark as w (realm_id, user_id, channel_id, message_id)
   select $1, user_id, $2, newest.id from unnest($3::bigint[]) as user_id cross join (
     select id from message where realm_id = $1 and channel_id = $2 order by id desc limit 1
   ) newest order by user_id
   on conflict (realm_id, user_id, channel_id) do update set message_id = greatest(w.message_id, excluded.message_id)`);

const LIST_NEWEST_IN_CHANNEL = statement(
  `select id from (select id from message where realm_id = $1 and channel_id = $2 order by id desc limit $3) newest order by id`,
  { id: z.number() },
);

/**
 * Marks everything in a channel as read for all of these subscribers, and deletes all marks as unread there. Returns the newest
 * messages, ascending, up to a limit.
 */
export async function markChannelReadForAll(
  tx: Transaction,
  realmId: number,
  channelId: number,
  userIds: readonly number[],
  limit: number,
): Promise<number[]> {
  await tx.query(MARK_CHANNEL_READ_FOR_ALL, [realmId, channelId, userIds]);
  const rows = await tx.query(LIST_NEWEST_IN_CHANNEL, [realmId, channelId, limit]);
  return rows.map(({ id }) => id);
}

interface LateMessages {
  channelId: number;
  /** Its participants. */
  userIds: readonly number[];
  beforeMs: number;
  limit: number;
}

const MARK_LATE_READ_FOR_ALL = statement(
  `with late as (
     select m.id from message m where m.realm_id = $1 and m.channel_id = $2 and m.id > coalesce((
       select min(w.message_id) from channel_read_watermark w
       where w.realm_id = $1 and w.user_id = any($3::bigint[]) and w.channel_id = $2), 0)
       and m.sent_at < to_timestamp($4 / 1000.0)
     order by m.id desc limit $5
   ), marked as (
     insert into channel_read_watermark as w (realm_id, user_id, channel_id, message_id)
     select $1, user_id, $2, newest.id from unnest($3::bigint[]) as user_id
     cross join (select max(id) as id from late having count(*) > 0) newest order by user_id
     on conflict (realm_id, user_id, channel_id) do update set message_id = greatest(w.message_id, excluded.message_id)
   )
   select id from late order by id`,
  { id: z.number() },
);

/**
 * For a channel marked as read for all: marks later messages as read that were sent before a time. Returns their ids, ascending.
 */
export async function markLateReadForAll(
  tx: Transaction,
  realmId: number,
  { channelId, userIds, beforeMs, limit }: LateMessages,
): Promise<number[]> {
  const rows = await tx.query(MARK_LATE_READ_FOR_ALL, [realmId, channelId, userIds, beforeMs, limit]);
  return rows.map(({ id }) => id);
}

const MARK_ALL_READ = statement(`with forgotten_exceptions as (
     delete from read_exception where realm_id = $1 and user_id = $2
   ), forgotten_watermarks as (
     delete from channel_read_watermark where realm_id = $1 and user_id = $2
   ), marked as (
     insert into read_watermark as w (realm_id, user_id, message_id)
     select $1, $2, coalesce((select id from message where realm_id = $1 order by id desc limit 1), 0)
     on conflict (realm_id, user_id) do update set message_id = greatest(w.message_id, excluded.message_id)
   )
   insert into outbox (realm_id, kind, payload) values ($1, $3, $4)`);

/**
 * Marks everything sent so far as read by one watermark, deletes the marks of single messages, and announces it. To be called under
 * lockUsersMarksAndSends().
 */
export async function markAllRead(sql: Sql, realmId: number, userId: number, event: DomainEvent): Promise<void> {
  await sql.query(MARK_ALL_READ, [realmId, userId, event.kind, eventText(event)]);
}

/** Ids of messages, inclusive, for one user. */
export interface ReadRange {
  realmId: number;
  userId: number;
  fromId: number;
  toId: number;
}

/** Messages that become read, and their announcement. */
interface ReadMessages {
  messageIds: readonly number[];
  event: DomainEvent;
}

// A mark as unread that is stored meanwhile comes before, and is deleted if its message is one of these, or comes after. Others stay: their messages
// are not among those announced as read. Marks as read below the watermark are kept: they are redundant.
const forgetting = (messageIds: string) => `locked_marks as materialized (
     select count(pg_advisory_xact_lock(${USERS_MARKS_LOCK})) as count
   ), forgotten as materialized (
     select count(forget_marks($1, $2, case when count > 0 then ${messageIds}::bigint[] end)) as count from locked_marks
   )`;
const announcing = (kind: string, payload: string) =>
  `insert into outbox (realm_id, kind, payload) select $1, ${kind}, ${payload} from forgotten where forgotten.count >= 0`;

const MARK_CHANNELS_READ_TO = statement(`with ${forgetting('$5')}, marked as (
     insert into channel_read_watermark as w (realm_id, user_id, channel_id, message_id)
     select $1, $2, channel_id, $3 from forgotten, unnest($4::bigint[]) as channel_id
     where forgotten.count >= 0 order by channel_id
     on conflict (realm_id, user_id, channel_id) do update set message_id = greatest(w.message_id, excluded.message_id)
   )
   ${announcing('$6', '$7')}`);

/** Marks these messages in the channels as read, up to the end of the range, and announces it. Nothing else before it may be unread. */
export async function markChannelsReadTo(
  sql: Sql,
  { realmId, userId, toId }: ReadRange,
  channelIds: readonly number[],
  { messageIds, event }: ReadMessages,
): Promise<void> {
  await sql.query(MARK_CHANNELS_READ_TO, [realmId, userId, toId, channelIds, messageIds, event.kind, eventText(event)]);
}

const MARK_EVERYTHING_READ_TO = statement(`with ${forgetting('$4')}, marked as (
     insert into read_watermark as w (realm_id, user_id, message_id)
     select $1, $2, $3 from forgotten where forgotten.count >= 0
     on conflict (realm_id, user_id) do update set message_id = greatest(w.message_id, excluded.message_id)
   )
   ${announcing('$5', '$6')}`);

/** The same for everything. */
export async function markEverythingReadTo(
  sql: Sql,
  { realmId, userId, toId }: ReadRange,
  { messageIds, event }: ReadMessages,
): Promise<void> {
  await sql.query(MARK_EVERYTHING_READ_TO, [realmId, userId, toId, messageIds, event.kind, eventText(event)]);
}

// From the message before the range to the last one in it, so that consecutive marks become one range. What was marked as unread meanwhile stays so.
// Mostly nothing was: then the messages are not looked up.
const STILL_UNREAD = `(e.unread - coalesce((select ids from found where conversation_id = e.conversation_id), '{}'))`;
const MARK_RANGES_READ = statement(`with found as materialized (
     select conversation_id, ids from mark_ranges($1, $6)
   )
   insert into read_exception as e (realm_id, user_id, conversation_id, read)
   select $1, $2, c.id, int8multirange(int8range(coalesce(before.id, 0) + 1, last.id + 1))
   from unnest($5::bigint[]) as c (id)
   left join lateral (
     select m.id from message m where m.realm_id = $1 and m.conversation_id = c.id and m.id < $3 order by m.id desc limit 1
   ) before on true
   cross join lateral (
     select m.id from message m where m.realm_id = $1 and m.conversation_id = c.id and m.id between $3 and $4 order by m.id desc limit 1
   ) last
   order by c.id
   on conflict (realm_id, user_id, conversation_id) do update set
     read = e.read + case when isempty(e.unread) then excluded.read else excluded.read - ${STILL_UNREAD} end,
     unread = case when isempty(e.unread) then e.unread else ${STILL_UNREAD} end`);

/** Marks these messages as read: all that is unread in the range in their conversations. To be called under shareReadState(). */
export async function markRangesRead(
  tx: Transaction,
  { realmId, userId, fromId, toId }: ReadRange,
  conversations: readonly { conversationId: number; messageIds: readonly number[] }[],
): Promise<void> {
  const conversationIds = conversations.map(({ conversationId }) => conversationId);
  const messageIds = conversations.flatMap((conversation) => conversation.messageIds);
  await tx.query(MARK_RANGES_READ, [realmId, userId, fromId, toId, conversationIds, messageIds]);
}

const FORGET_UNREAD_IN = statement(`update read_exception e set read = e.read + e.unread, unread = '{}' from topic t
   where e.realm_id = $1 and e.user_id = $3 and e.unread <> '{}'
     and t.realm_id = $1 and t.id = e.conversation_id and t.channel_id = any($2::bigint[])`);

/** Deletes a user's marks as unread in the channels, also for messages moved later. */
export async function forgetUnreadIn(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  userId: number,
): Promise<void> {
  await sql.query(FORGET_UNREAD_IN, [realmId, channelIds, userId]);
}

/** SQL: the key of the lock on the read state of a conversation `id`. */
export const READ_STATE_LOCK = `hashtextextended('read state ' || id, 0)`;
/** The row for each lock taken. */
const LOCKED = { locked: z.literal('') };

const CHANNEL_LOCK = `hashtextextended('read state in channel ' || id, 0)`;

/** SQL: locks conversations $1, then channels $2. */
const lockingPlaces = (lock: string) =>
  statement(
    `select ${lock}(key) as locked from (
       select 1 as kind, id, ${READ_STATE_LOCK} as key from (select distinct id from unnest($1::bigint[]) as id) as conversation
       union all
       select 2, id, ${CHANNEL_LOCK} from (select distinct id from unnest($2::bigint[]) as id) as channel
       order by kind, id offset 0
     ) as place`,
    LOCKED,
  );
const [SHARE_READ_STATE, LOCK_READ_STATE] = [
  lockingPlaces('pg_advisory_xact_lock_shared'),
  lockingPlaces('pg_advisory_xact_lock'),
];

/**
 * Until the transaction ends, no message leaves or joins these conversations, nor moves from or to these channels. Marks share this lock, and
 * delay neither each other nor sends; without it a mark could be stored where its message has just left.
 */
export async function shareReadState(
  tx: Transaction,
  conversationIds: readonly number[],
  channelIds: readonly number[] = [],
): Promise<void> {
  await tx.query(SHARE_READ_STATE, [conversationIds, channelIds]);
}

const lockingOf = (lock: string) =>
  statement(
    `select ${lock}(${READ_STATE_LOCK}) as locked from (
     select distinct conversation_id as id from message where realm_id = $1 and id = any($2::bigint[])
     order by conversation_id offset 0
   ) as conversation`,
    LOCKED,
  );

const SHARE_READ_STATE_OF = lockingOf('pg_advisory_xact_lock_shared');

/** The same for the conversations that these messages are in. */
export async function shareReadStateOf(tx: Transaction, realmId: number, messageIds: readonly number[]): Promise<void> {
  await tx.query(SHARE_READ_STATE_OF, [realmId, messageIds]);
}

export interface FlaggedMessage {
  id: number;
  conversationId: number;
  channelId: number | null;
}

const LOCK_FLAGGED = statement(
  `with held as materialized (
     select conversation_id as id from message where realm_id = $1 and id = any($2::bigint[]) order by id for share
   )
   select pg_advisory_xact_lock_shared(${READ_STATE_LOCK}) as locked from (select distinct id from held order by id offset 0) as conversation`,
  LOCKED,
);

const COUNT_UNCHANGED = statement(
  `select count(*) as count from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as known (id, conversation_id, channel_id)
   join message m on m.realm_id = $1 and m.id = known.id and m.conversation_id = known.conversation_id
     and m.channel_id is not distinct from known.channel_id`,
  { count: z.number() },
);

/**
 * Until the transaction ends, the messages are neither moved nor deleted; false if one was since it was loaded. Moves and
 * deletions lock messages first, too, and read state after them. Edits and reactions wait as well; then their events reach users
 * with new flags on the messages.
 */
export async function lockFlagged(
  tx: Transaction,
  realmId: number,
  messages: readonly FlaggedMessage[],
): Promise<boolean> {
  const ids = messages.map(({ id }) => id);
  await tx.query(LOCK_FLAGGED, [realmId, ids]);
  const [row] = await tx.query(COUNT_UNCHANGED, [
    realmId,
    ids,
    messages.map(({ conversationId }) => conversationId),
    messages.map(({ channelId }) => channelId),
  ]);
  return row?.count === ids.length;
}

/** Locks the marks of these conversations, and of these channels as a whole, until the transaction ends. */
export async function lockReadState(
  tx: Transaction,
  conversationIds: readonly number[],
  channelIds: readonly number[] = [],
): Promise<void> {
  await tx.query(LOCK_READ_STATE, [conversationIds, channelIds]);
}

const LOCK_READ_STATE_OF = lockingOf('pg_advisory_xact_lock');

/** The same for the conversations that these messages are in. */
export async function lockReadStateOf(tx: Transaction, realmId: number, messageIds: readonly number[]): Promise<void> {
  await tx.query(LOCK_READ_STATE_OF, [realmId, messageIds]);
}
