import { fewRows, onlyRow, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';
import { BEGINNING, firstRemaining } from '../channels/channel-activity.sql';
import { settlement } from '../conversations/lock-conversations.sql';

/** A message that is to be deleted. */
const MESSAGE_TO_DELETE = {
  id: z.number(),
  conversationId: z.number(),
  channelId: z.number().nullable(),
  sentChannelId: z.number().nullable(),
  sentVersion: z.number().nullable(),
  movedVersion: z.number().nullable(),
  topic: z.string(),
  /** Of a direct message. */
  participantIds: z.array(z.number()).nullable(),
};

export type MessageToDelete = z.infer<z.ZodObject<typeof MESSAGE_TO_DELETE>>;

const LOCKED_FOR_DELETION = {
  ...MESSAGE_TO_DELETE,
  /** False: it moved to another topic while its topic's lock was awaited. */
  isTopicLocked: z.boolean(),
};

export type LockedForDeletion = z.infer<z.ZodObject<typeof LOCKED_FOR_DELETION>>;

const LOCK_FOR_DELETION = statement(
  `with topics as (
     select t.id, t.name from topic t
     where t.realm_id = $1 and t.id in (
       select m.conversation_id from message m where m.realm_id = $1 and m.id = any($2::bigint[]) and m.channel_id is not null)
     order by t.channel_id, t.name_key for update
   ), deletable as (
     select m.id, m.conversation_id, m.channel_id, m.sent_channel_id, m.sent_version, m.moved_version, m.topic_name
     -- The count makes this wait for the topics first.
     from message m where m.realm_id = $1 and m.id = any($2::bigint[]) and (select count(*) from topics) >= 0
     order by m.id for update
   )
   select m.id, m.conversation_id as "conversationId", m.channel_id as "channelId", m.sent_channel_id as "sentChannelId",
     m.sent_version as "sentVersion", m.moved_version as "movedVersion", coalesce(m.topic_name, t.name, '') as topic,
     (select d.participant_ids from direct_conversation d where d.realm_id = $1 and d.id = m.conversation_id) as "participantIds",
     m.channel_id is null or t.id is not null as "isTopicLocked"
   from deletable m left join topics t on t.id = m.conversation_id order by m.id`,
  LOCKED_FOR_DELETION,
);

/** Locks the topics of the messages, then the existing messages, ascending by id. */
export function lockForDeletion(
  tx: Transaction,
  realmId: number,
  messageIds: readonly number[],
): Promise<LockedForDeletion[]> {
  return tx.query(LOCK_FOR_DELETION, [realmId, messageIds]);
}

interface Erasure {
  messageIds: readonly number[];
  conversationIds: readonly number[];
  channelIds: readonly number[];
}

const listOf = (table: string) =>
  `(select coalesce(jsonb_agg(to_jsonb(x)), '[]') from ${table} x where x.realm_id = m.realm_id and x.message_id = m.id)`;

/** The stored copy of a deleted message with its dependent rows, until it is purged. */
const ARCHIVED = `jsonb_build_object('message', to_jsonb(m) - 'search_vector', 'reactions', ${listOf('reaction')},
       'submessages', ${listOf('submessage')}, 'edits', ${listOf('message_edit')}, 'attachments', ${listOf('attachment_link')})`;

const HANGING = ['reaction', 'submessage', 'mention', 'message_edit'];

const HOLDER = z.strictObject({
  userId: z.number(),
  messageId: z.number(),
  isStarred: z.boolean(),
  isHistorical: z.boolean(),
});

export type Holder = z.infer<typeof HOLDER>;

const ERASE = statement(
  `with archived as (
     insert into archived_message (realm_id, message_id, archived_at, content)
     select m.realm_id, m.id, to_timestamp($3 / 1000.0), ${ARCHIVED}
     from message m where m.realm_id = $1 and m.id = any($2::bigint[])
   ), ${HANGING.map((table) => `no_${table} as (delete from ${table} where realm_id = $1 and message_id = any($2::bigint[]))`).join(', ')},
   no_flag as (
     delete from personal_flag where realm_id = $1 and message_id = any($2::bigint[])
     returning user_id, message_id, is_starred and is_star_shown as is_starred, is_historical
   ),
   gone as (
     delete from message where realm_id = $1 and id = any($2::bigint[])
   ), ${settlement('$4', '$2')}, settled_direct as (
     update direct_conversation d set max_message_id = coalesce((
       select m.id from message m where m.realm_id = $1 and m.conversation_id = d.id and m.id <> all($2::bigint[])
       order by m.id desc limit 1), 0)
     where d.realm_id = $1 and d.id = any($4::bigint[])
   )
   select (
     select coalesce(json_agg(json_build_object('channelId', c.id, 'firstMessageId', ${firstRemaining('c.id', '$2')})), '[]')
     from unnest($5::bigint[]) as c (id)
   ) as beginnings, array(
     select distinct l.message_id from attachment_link l where l.realm_id = $1 and l.message_id = any($2::bigint[])
   ) as "linkingIds", (
     select coalesce(json_agg(json_build_object('userId', f.user_id, 'messageId', f.message_id, 'isStarred', f.is_starred,
       'isHistorical', f.is_historical) order by f.user_id), '[]')
     from no_flag f where f.is_historical or f.is_starred
   ) as holders`,
  {
    /** The first message of each channel, after waiting for concurrent deletions and moves. */
    beginnings: z.array(z.strictObject(BEGINNING)),
    /**
     * The messages that linked to uploaded files. NOTE: a separate statement after the locks, which would otherwise miss an edit
     * that it waited for.
     */
    linkingIds: z.array(z.number()),
    /** Users whose clients have a star on the messages, and users with flags on messages that they did not receive. */
    holders: z.array(HOLDER),
  },
);

/**
 * Moves locked messages to the store of deleted messages, with dependent rows except links to files, and deletes empty topics;
 * direct conversations stay.
 */
export async function eraseMessages(
  tx: Transaction,
  realmId: number,
  { messageIds, conversationIds, channelIds }: Erasure,
  nowMs: number,
) {
  return onlyRow(await tx.query(ERASE, [realmId, messageIds, nowMs, conversationIds, channelIds]));
}

export const LIST_NEWEST_OF_TOPIC = statement(
  `select m.id, t.id as "conversationId", m.channel_id as "channelId", m.sent_channel_id as "sentChannelId",
     m.sent_version as "sentVersion", m.moved_version as "movedVersion", coalesce(m.topic_name, t.name) as topic,
     null as "participantIds"
   from topic t cross join lateral (
     select id, channel_id, sent_channel_id, sent_version, moved_version, topic_name from message
     where realm_id = $1 and conversation_id = t.id and id < $4 order by id desc limit $5
   ) m
   where t.realm_id = $1 and t.channel_id = $2 and t.name_key = $3 order by m.id desc`,
  MESSAGE_TO_DELETE,
);

/** The newest messages of a topic below an id, newest first. */
export function listNewestOfTopic(
  sql: Sql,
  realmId: number,
  topic: { channelId: number; key: string },
  belowId: number,
  limit: number,
): Promise<MessageToDelete[]> {
  return sql.query(LIST_NEWEST_OF_TOPIC, [realmId, topic.channelId, topic.key, belowId, limit]);
}

const EXPIRED = { id: z.number(), channelId: z.number().nullable() };

export type ExpiredMessage = z.infer<z.ZodObject<typeof EXPIRED>>;

// Ids ascend with time: if the oldest message is young enough, all are.
export const LIST_EXPIRED_OF_CHANNELS = statement(
  `with due as (
     select c.id from unnest($2::bigint[]) as c (id) cross join lateral (
       select m.sent_at from message m where m.realm_id = $1 and m.channel_id = c.id order by m.id limit 1
     ) oldest where oldest.sent_at < to_timestamp($3 / 1000.0) limit 1
   )
   select expired.id, due.id as "channelId" from due cross join lateral (
     select m.id, m.sent_at from message m where m.realm_id = $1 and m.channel_id = due.id order by m.id limit $4
   ) expired where expired.sent_at < to_timestamp($3 / 1000.0)`,
  EXPIRED,
);

/** The oldest messages, sent before a time, of one channel that has any; at most `limit`. */
export function listExpiredOfChannels(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  beforeMs: number,
  limit: number,
): Promise<ExpiredMessage[]> {
  return sql.query(LIST_EXPIRED_OF_CHANNELS, [realmId, channelIds, beforeMs, limit]);
}

export const LIST_EXPIRED_DIRECT = statement(
  `select id, null::bigint as "channelId" from (
     select id, sent_at from message where realm_id = $1 and channel_id is null order by id limit $3
   ) oldest where sent_at < to_timestamp($2 / 1000.0)`,
  EXPIRED,
);

/** The oldest direct messages, sent before a time; at most `limit`. */
export function listExpiredDirect(
  sql: Sql,
  realmId: number,
  beforeMs: number,
  limit: number,
): Promise<ExpiredMessage[]> {
  return sql.query(LIST_EXPIRED_DIRECT, [realmId, beforeMs, limit]);
}

const PURGE_ARCHIVE = statement(
  `with purged as (
     delete from archived_message a using ${fewRows(
       `select row(realm_id, message_id) from archived_message where archived_at < to_timestamp($1 / 1000.0)
       order by archived_at limit $2 for update skip locked`,
     )} as o (realm_id bigint, message_id bigint)
     where a.realm_id = o.realm_id and a.message_id = o.message_id returning 1
   )
   select count(*) as count from purged`,
  { count: z.number() },
);

/** Purges messages deleted before a time, at most `limit`; returns their number. */
export async function purgeArchive(sql: Sql, beforeMs: number, limit: number): Promise<number> {
  const [row] = await sql.query(PURGE_ARCHIVE, [beforeMs, limit]);
  return row?.count ?? 0;
}
