import { type Sql, statement, type Transaction } from '@parley/shared/db';

/** A message that is to be deleted. */
export interface DoomedMessage {
  id: number;
  conversationId: number;
  channelId: number | null;
  sentChannelId: number | null;
  sentVersion: number | null;
  movedVersion: number | null;
  topic: string;
  /** Of a direct message. */
  participantIds: number[] | null;
}

/** The topics that messages are in. */
export async function listTopicIdsOf(sql: Sql, realmId: number, messageIds: readonly number[]): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    `select distinct conversation_id as id from message
     where realm_id = $1 and id = any($2::bigint[]) and channel_id is not null`,
    [realmId, messageIds],
  );
  return rows.map(({ id }) => id);
}

/** Holds those of the messages that are left, ascending by id. */
export function holdDoomed(tx: Transaction, realmId: number, messageIds: readonly number[]): Promise<DoomedMessage[]> {
  return tx.query(
    `select m.id, m.conversation_id as "conversationId", m.channel_id as "channelId", m.sent_channel_id as "sentChannelId",
       m.sent_version as "sentVersion", m.moved_version as "movedVersion",
       coalesce(m.topic_name, (select t.name from topic t where t.realm_id = m.realm_id and t.id = m.conversation_id), '') as topic,
       (select d.participant_ids from direct_conversation d where d.realm_id = m.realm_id and d.id = m.conversation_id)
         as "participantIds"
     from message m where m.realm_id = $1 and m.id = any($2::bigint[]) order by m.id for update of m`,
    [realmId, messageIds],
  );
}

/** Keeps the messages, with what hangs on them, until they are purged. */
export async function archiveMessages(
  tx: Transaction,
  realmId: number,
  messageIds: readonly number[],
  nowMs: number,
): Promise<void> {
  const listOf = (table: string) =>
    `(select coalesce(jsonb_agg(to_jsonb(x)), '[]') from ${table} x where x.realm_id = m.realm_id and x.message_id = m.id)`;
  await tx.query(
    `insert into archived_message (realm_id, message_id, archived_at, content)
     select m.realm_id, m.id, to_timestamp($3 / 1000.0), jsonb_build_object(
       'message', to_jsonb(m) - 'search_vector', 'reactions', ${listOf('reaction')}, 'submessages', ${listOf('submessage')},
       'edits', ${listOf('message_edit')}, 'attachments', ${listOf('attachment_link')})
     from message m where m.realm_id = $1 and m.id = any($2::bigint[])`,
    [realmId, messageIds, nowMs],
  );
}

/** The messages, whom they mention and how they were edited. */
export async function deleteRows(tx: Transaction, realmId: number, messageIds: readonly number[]): Promise<void> {
  await tx.query(
    `with mentions as (
       delete from mention where realm_id = $1 and message_id = any($2::bigint[])
     ), edits as (
       delete from message_edit where realm_id = $1 and message_id = any($2::bigint[])
     )
     delete from message where realm_id = $1 and id = any($2::bigint[])`,
    [realmId, messageIds],
  );
}

/** Direct conversations stay without messages; the newest is known of the others. */
export async function settleDirect(tx: Transaction, realmId: number, ids: readonly number[]): Promise<void> {
  await tx.query(
    `update direct_conversation d set max_message_id = coalesce((
       select m.id from message m where m.realm_id = $1 and m.conversation_id = d.id order by m.id desc limit 1), 0)
     where d.realm_id = $1 and d.id = any($2::bigint[])`,
    [realmId, ids],
  );
}

export interface Beginning {
  channelId: number;
  firstMessageId: number | null;
}

/** With which message each of the channels begins now. */
export function listBeginnings(sql: Sql, realmId: number, channelIds: readonly number[]): Promise<Beginning[]> {
  return sql.query(
    `select c.id as "channelId", (
       select m.id from message m where m.realm_id = $1 and m.channel_id = c.id order by m.id limit 1) as "firstMessageId"
     from unnest($2::bigint[]) as c (id)`,
    [realmId, channelIds],
  );
}

export const LIST_NEWEST_OF_TOPIC = statement(
  'list-newest-of-topic',
  `select m.id, t.id as "conversationId", m.channel_id as "channelId", m.sent_channel_id as "sentChannelId",
     m.sent_version as "sentVersion", m.moved_version as "movedVersion", coalesce(m.topic_name, t.name) as topic,
     null as "participantIds"
   from topic t cross join lateral (
     select id, channel_id, sent_channel_id, sent_version, moved_version, topic_name from message
     where realm_id = $1 and conversation_id = t.id and id < $4 order by id desc limit $5
   ) m
   where t.realm_id = $1 and t.channel_id = $2 and t.name_key = $3 order by m.id desc`,
);

/** The newest messages of a topic below an id, newest first. */
export function listNewestOfTopic(
  sql: Sql,
  realmId: number,
  topic: { channelId: number; key: string },
  belowId: number,
  limit: number,
): Promise<DoomedMessage[]> {
  return sql.query(LIST_NEWEST_OF_TOPIC, [realmId, topic.channelId, topic.key, belowId, limit]);
}

// Ids ascend with time: where the oldest message is young enough, all are.
export const LIST_EXPIRED_OF_CHANNELS = statement(
  'list-expired-of-channels',
  `with due as (
     select c.id from unnest($2::bigint[]) as c (id) cross join lateral (
       select m.sent_at from message m where m.realm_id = $1 and m.channel_id = c.id order by m.id limit 1
     ) oldest where oldest.sent_at < to_timestamp($3 / 1000.0) limit 1
   )
   select expired.id from due cross join lateral (
     select m.id, m.sent_at from message m where m.realm_id = $1 and m.channel_id = due.id order by m.id limit $4
   ) expired where expired.sent_at < to_timestamp($3 / 1000.0)`,
);

/** The oldest messages of one of the channels that has any from before a time, at most `limit`. */
export async function listExpiredOfChannels(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  beforeMs: number,
  limit: number,
): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(LIST_EXPIRED_OF_CHANNELS, [realmId, channelIds, beforeMs, limit]);
  return rows.map(({ id }) => id);
}

export const LIST_EXPIRED_DIRECT = statement(
  'list-expired-direct',
  `select id from (
     select id, sent_at from message where realm_id = $1 and channel_id is null order by id limit $3
   ) oldest where sent_at < to_timestamp($2 / 1000.0)`,
);

/** The oldest direct messages, from before a time, at most `limit`. */
export async function listExpiredDirect(sql: Sql, realmId: number, beforeMs: number, limit: number): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(LIST_EXPIRED_DIRECT, [realmId, beforeMs, limit]);
  return rows.map(({ id }) => id);
}

/** Purges what was archived before a time, at most `limit` messages; answers how many. */
export async function purgeArchive(sql: Sql, beforeMs: number, limit: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `with old as (
       select realm_id, message_id from archived_message where archived_at < to_timestamp($1 / 1000.0)
       order by archived_at limit $2 for update skip locked
     ), purged as (
       delete from archived_message a using old o
       where a.realm_id = o.realm_id and a.message_id = o.message_id returning 1
     )
     select count(*) as count from purged`,
    [beforeMs, limit],
  );
  return row?.count ?? 0;
}
