import { type Sql, statement, type Transaction } from '@parley/shared/db';
import type { TopicLink } from '@parley/shared/proto';
import { topicKey } from '@parley/shared/values';
import { z } from 'zod';
import type { LockedTopic } from '../conversations/lock-conversations.sql';
import type { EditMark } from '../messages/edits.sql';

/** A message of a topic, as needed for moving. */
const TOPIC_MESSAGE_ROW = {
  id: z.number(),
  channelId: z.number(),
  sentChannelId: z.number(),
  sentVersion: z.number(),
  movedVersion: z.number().nullable(),
  sentAtMs: z.number(),
  participantIds: z.null(),
};

export type TopicMessageRow = z.infer<z.ZodObject<typeof TOPIC_MESSAGE_ROW>>;

const IN_TOPIC = `select id, channel_id as "channelId", sent_channel_id as "sentChannelId", sent_version as "sentVersion",
     moved_version as "movedVersion", sent_at as "sentAtMs", null as "participantIds"
   from message where realm_id = $1 and conversation_id = $2`;

export const LIST_TOPIC_MESSAGES = statement(`${IN_TOPIC} and id >= $3 order by id`, TOPIC_MESSAGE_ROW);

/** The topic's messages from an id on, ascending. */
export function listTopicMessages(
  sql: Sql,
  realmId: number,
  conversationId: number,
  fromId: number,
): Promise<TopicMessageRow[]> {
  return sql.query(LIST_TOPIC_MESSAGES, [realmId, conversationId, fromId]);
}

export const NEWEST = 100;

export const LIST_ONE_AND_NEWEST = statement(
  `(${IN_TOPIC} and id = $3) union all (${IN_TOPIC} and id < $4 and id <> $3 order by id desc limit ${NEWEST})`,
  TOPIC_MESSAGE_ROW,
);

/** A message, if it is in the topic, and the newest of the others before an id, descending. */
export function listOneAndNewest(
  sql: Sql,
  realmId: number,
  { conversationId, messageId, beforeId }: { conversationId: number; messageId: number; beforeId: number },
): Promise<TopicMessageRow[]> {
  return sql.query(LIST_ONE_AND_NEWEST, [realmId, conversationId, messageId, beforeId]);
}

/** Where messages are moved. */
export interface Destination {
  channelId: number;
  topic: string;
  topicLinks: readonly TopicLink[];
  /** The subscription version of the channel. */
  version: number;
}

/** A topic that is renamed as a whole. */
interface Rename {
  source: LockedTopic;
  /** The topic created by locking the new name, which must be deleted; the source itself if only the casing changes. */
  targetId: number;
  from: string;
  to: Destination;
}

// The count makes this wait for the deletion: the name has to be free.
export const RENAME_TOPIC = statement(
  `with gone as (
     delete from topic where realm_id = $1 and id = $3 and id <> $2 returning id
   ), renamed as (
     update topic set name = $5, name_key = $6 where realm_id = $1 and id = $2 and (select count(*) from gone) >= 0
   ), reset as (
     update message set topic_name = null, topic_links = $7::jsonb
     where realm_id = $1 and conversation_id = $2 and (topic_name is not null or topic_links is not null)
   ), edited as (
     insert into topic_edit (realm_id, conversation_id, edit_id, actor_id, edited_at, prev_topic, topic, last_message_id)
     values ($1, $2, $8, $9, to_timestamp($10 / 1000.0), $4, $5, $11)
   )
   select distinct user_id as "userId" from personal_flag
   where realm_id = $1 and message_id = any($12::bigint[]) and is_historical`,
  { userId: z.number() },
);

/**
 * Renames the topic. Its messages stay as they are, except those with their own casing or links. Returns the users with flags on
 * one of these messages that they did not receive.
 */
export async function renameTopic(
  tx: Transaction,
  realmId: number,
  { source, targetId, from, to }: Rename,
  messageIds: readonly number[],
  { editId, actorId, editedAtMs }: EditMark,
): Promise<number[]> {
  const links = to.topicLinks.length === 0 ? null : JSON.stringify(to.topicLinks);
  const edit = [editId, actorId, editedAtMs, source.maxMessageId];
  const values = [realmId, source.id, targetId, from, to.topic, topicKey(to.topic), links, ...edit, messageIds];
  const holders = await tx.query(RENAME_TOPIC, values);
  if (links !== null) await linkTopicOfAll(tx, realmId, source.id, links);
  return holders.map(({ userId }) => userId);
}

const LINK_TOPIC_OF_ALL = statement(`update message set topic_links = $3::jsonb
   where realm_id = $1 and conversation_id = $2 and topic_links is distinct from $3::jsonb`);

/** Changes the links of all messages of the topic. */
async function linkTopicOfAll(tx: Transaction, realmId: number, conversationId: number, links: string): Promise<void> {
  await tx.query(LINK_TOPIC_OF_ALL, [realmId, conversationId, links]);
}

const LIMIT_STATEMENTS = statement("select set_config('statement_timeout', $1, true)", { set_config: z.string() });

/** Limits the time of each of the transaction's statements. */
export async function limitStatements(tx: Transaction, timeoutMs: number): Promise<void> {
  await tx.query(LIMIT_STATEMENTS, [String(timeoutMs)]);
}

// A message that returns to its first channel belongs to those who received it there.
const MOVED_VERSION =
  'case when sent_channel_id = $3 then null when channel_id = $3 then moved_version else $4::bigint end';

// Without a new name, each message keeps its own casing and the links in it.
const JOIN_TOPIC = statement(
  `update message set conversation_id = $5, channel_id = $3, moved_version = ${MOVED_VERSION},
     topic_name = nullif(coalesce($6, topic_name, $7), $8),
     topic_links = case when $6::text is null then topic_links else $9::jsonb end
   where realm_id = $1 and id = any($2::bigint[])`,
);

/** The topics of messages that move; `isNamed`: they get the destination's name. */
interface Joining {
  source: LockedTopic;
  target: LockedTopic;
  isNamed: boolean;
}

/** Messages of the topic `source` join the topic `target`. */
export async function joinTopic(
  tx: Transaction,
  realmId: number,
  messageIds: readonly number[],
  { source, target, isNamed }: Joining,
  { channelId, version, topic, topicLinks }: Destination,
): Promise<void> {
  const links = topicLinks.length === 0 ? null : JSON.stringify(topicLinks);
  const names = [isNamed ? topic : null, source.name, target.name];
  await tx.query(JOIN_TOPIC, [realmId, messageIds, channelId, version, target.id, ...names, links]);
}
