import type { Sql, Transaction } from '@parley/shared/db';

/** What is stored of a reader about a message. */
export interface StoredReadState {
  messageId: number;
  isMarkedRead: boolean;
  isMarkedUnread: boolean;
  /** One of the watermarks has passed it. */
  isPassed: boolean;
  isStarred: boolean;
  isCollapsed: boolean;
  /** The reader has something of their own on a message that they did not receive. */
  isHistorical: boolean;
  /** A bot that the message reached by mentioning it, outside of the channel. */
  isCalled: boolean;
}

/** Columns of StoredReadState for a message `m`, and the tables they are in, for a user. */
export const STORED_STATE = `coalesce(e.read @> m.id, false) as "isMarkedRead",
     coalesce(e.unread @> m.id, false) as "isMarkedUnread",
     m.id <= greatest(w.message_id, c.message_id, 0) and not coalesce(e.unpassed @> m.id, false) as "isPassed",
     coalesce(f.is_starred, false) as "isStarred", coalesce(f.is_collapsed, false) as "isCollapsed",
     coalesce(f.is_historical, false) as "isHistorical", coalesce(f.is_called, false) as "isCalled"`;
export const storedStateJoins = (
  userId: string,
) => `left join read_watermark w on w.realm_id = $1 and w.user_id = ${userId}
   left join channel_read_watermark c on c.realm_id = $1 and c.user_id = ${userId} and c.channel_id = m.channel_id
   left join read_exception e on e.realm_id = $1 and e.user_id = ${userId} and e.conversation_id = m.conversation_id
   left join personal_flag f on f.realm_id = $1 and f.user_id = ${userId} and f.message_id = m.id`;

// A mark reaches back to the message before it, between which and the marked one the conversation has none: so what is marked
// one after the other becomes one range.
const MARKED = `marked as (
    select m.conversation_id, range_agg(int8range(coalesce((
      select p.id from message p
      where p.realm_id = $1 and p.conversation_id = m.conversation_id and p.id < m.id order by p.id desc limit 1), 0) + 1,
      m.id + 1)) as ids
    from message m where m.realm_id = $1 and m.id = any($3::bigint[])
    group by m.conversation_id order by m.conversation_id
  )`;

const MARK_READ = `with ${MARKED}
  insert into read_exception as e (realm_id, user_id, conversation_id, read)
  select $1, $2, conversation_id, ids from marked
  on conflict (realm_id, user_id, conversation_id)
  do update set read = e.read + excluded.read, unread = e.unread - excluded.read`;

const MARK_UNREAD = `with ${MARKED}
  insert into read_exception as e (realm_id, user_id, conversation_id, unread)
  select $1, $2, conversation_id, ids from marked
  on conflict (realm_id, user_id, conversation_id)
  do update set unread = e.unread + excluded.unread, read = e.read - excluded.unread`;

/** Marks messages, wherever they are now. */
export async function markMessages(
  sql: Sql,
  realmId: number,
  userId: number,
  messageIds: readonly number[],
  isRead: boolean,
): Promise<void> {
  await sql.query(isRead ? MARK_READ : MARK_UNREAD, [realmId, userId, messageIds]);
}

/** Everything in a conversation that has been sent so far is read. */
export async function markConversationRead(
  sql: Sql,
  realmId: number,
  userId: number,
  conversationId: number,
): Promise<void> {
  await sql.query(
    `insert into read_exception as e (realm_id, user_id, conversation_id, read)
     select $1, $2, id, int8multirange(int8range(1, max_message_id + 1)) from topic where realm_id = $1 and id = $3
     on conflict (realm_id, user_id, conversation_id)
     do update set read = e.read + excluded.read, unread = e.unread - excluded.read`,
    [realmId, userId, conversationId],
  );
}

/** Everything in a channel that has been sent so far is read; what was marked there one by one is forgotten. */
export async function markChannelRead(sql: Sql, realmId: number, userId: number, channelId: number): Promise<void> {
  await sql.query(
    `with newest as (
       select id from message where realm_id = $1 and channel_id = $3 order by id desc limit 1
     ), superseded as (
       update read_exception e
       set unread = '{}', unpassed = '{}', read = e.read - int8multirange(int8range(null, newest.id, '(]'))
       from newest, topic t
       where e.realm_id = $1 and e.user_id = $2 and t.realm_id = $1 and t.id = e.conversation_id and t.channel_id = $3
     )
     insert into channel_read_watermark as w (realm_id, user_id, channel_id, message_id)
     select $1, $2, $3, id from newest
     on conflict (realm_id, user_id, channel_id) do update set message_id = greatest(w.message_id, excluded.message_id)`,
    [realmId, userId, channelId],
  );
}

/**
 * Everything that is in a channel is read for all of these users, who are in it, and nothing that anybody has marked there is unread any
 * more. Answers the newest messages, at most so many, ascending.
 */
export async function markChannelReadForAll(
  tx: Transaction,
  realmId: number,
  channelId: number,
  userIds: readonly number[],
  limit: number,
): Promise<number[]> {
  await tx.query(
    `with superseded as (
       update read_exception e set read = e.read + e.unread + e.unpassed, unread = '{}', unpassed = '{}' from topic t
       where e.realm_id = $1 and t.realm_id = $1 and t.channel_id = $2 and e.conversation_id = t.id
         and (e.unread <> '{}' or e.unpassed <> '{}')
     )
     insert into channel_read_watermark as w (realm_id, user_id, channel_id, message_id)
     select $1, user_id, $2, newest.id from unnest($3::bigint[]) as user_id cross join (
       select id from message where realm_id = $1 and channel_id = $2 order by id desc limit 1
     ) newest order by user_id
     on conflict (realm_id, user_id, channel_id) do update set message_id = greatest(w.message_id, excluded.message_id)`,
    [realmId, channelId, userIds],
  );
  const rows = await tx.query<{ id: number }>(
    `select id from (select id from message where realm_id = $1 and channel_id = $2 order by id desc limit $3) newest order by id`,
    [realmId, channelId, limit],
  );
  return rows.map(({ id }) => id);
}

interface LateMessages {
  channelId: number;
  /** Who is in it. */
  userIds: readonly number[];
  beforeMs: number;
  limit: number;
}

/** Of a channel of which everything was read for all: so is what came after that and was sent before a time. Answers its ids, ascending. */
export async function markLateReadForAll(
  tx: Transaction,
  realmId: number,
  { channelId, userIds, beforeMs, limit }: LateMessages,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
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
    [realmId, channelId, userIds, beforeMs, limit],
  );
  return rows.map(({ id }) => id);
}

/** Everything that has been sent so far is read: one watermark, and what was marked one by one is forgotten. */
export async function markAllRead(sql: Sql, realmId: number, userId: number): Promise<void> {
  await sql.query(
    `with forgotten_exceptions as (
       delete from read_exception where realm_id = $1 and user_id = $2
     ), forgotten_watermarks as (
       delete from channel_read_watermark where realm_id = $1 and user_id = $2
     )
     insert into read_watermark as w (realm_id, user_id, message_id)
     select $1, $2, coalesce((select id from message where realm_id = $1 order by id desc limit 1), 0)
     on conflict (realm_id, user_id) do update set message_id = greatest(w.message_id, excluded.message_id)`,
    [realmId, userId],
  );
}

/** What a user has marked as unread in a channel is read, wherever it goes from there. */
export async function forgetUnreadIn(sql: Sql, realmId: number, channelId: number, userId: number): Promise<void> {
  await sql.query(
    `update read_exception e set read = e.read + e.unread, unread = '{}' from topic t
     where e.realm_id = $1 and e.user_id = $3 and e.unread <> '{}'
       and t.realm_id = $1 and t.id = e.conversation_id and t.channel_id = $2`,
    [realmId, channelId, userId],
  );
}

const KEY = `hashtextextended('read state ' || id, 0)`;

/**
 * Until the transaction ends, no message leaves or joins these conversations. Marks share this, and hold up neither each other nor
 * sends: without it a mark could be stored where its message has just left.
 */
export async function shareReadState(tx: Transaction, conversationIds: readonly number[]): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock_shared(${KEY})
     from (select distinct id from unnest($1::bigint[]) as id order by id offset 0) as conversation`,
    [conversationIds],
  );
}

/** The same for the conversations that these messages are in. */
export async function shareReadStateOf(tx: Transaction, realmId: number, messageIds: readonly number[]): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock_shared(${KEY}) from (
       select distinct conversation_id as id from message where realm_id = $1 and id = any($2::bigint[])
       order by conversation_id offset 0
     ) as conversation`,
    [realmId, messageIds],
  );
}

export interface Held {
  id: number;
  conversationId: number;
  channelId: number | null;
}

/**
 * Until the transaction ends, the messages neither move nor are deleted; false when one of them did so since it was loaded. Whoever moves
 * or deletes messages holds them first, too, and read state after them. Whoever edits or reacts to them waits as well, and tells those
 * who have something of their own on them then.
 */
export async function holdFlagged(tx: Transaction, realmId: number, messages: readonly Held[]): Promise<boolean> {
  const ids = messages.map(({ id }) => id);
  await tx.query(
    `with held as materialized (
       select conversation_id as id from message where realm_id = $1 and id = any($2::bigint[]) order by id for share
     )
     select pg_advisory_xact_lock_shared(${KEY}) from (select distinct id from held order by id offset 0) as conversation`,
    [realmId, ids],
  );
  const [row] = await tx.query<{ count: number }>(
    `select count(*) as count from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as known (id, conversation_id, channel_id)
     join message m on m.realm_id = $1 and m.id = known.id and m.conversation_id = known.conversation_id
       and m.channel_id is not distinct from known.channel_id`,
    [realmId, ids, messages.map(({ conversationId }) => conversationId), messages.map(({ channelId }) => channelId)],
  );
  return row?.count === ids.length;
}

/** Until the transaction ends, nobody marks anything in these conversations. */
export async function holdReadState(tx: Transaction, conversationIds: readonly number[]): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(${KEY})
     from (select distinct id from unnest($1::bigint[]) as id order by id offset 0) as conversation`,
    [conversationIds],
  );
}
