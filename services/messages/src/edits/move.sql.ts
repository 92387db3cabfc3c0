import { type Sql, statement, type Transaction } from '@parley/shared/db';
import type { TopicLink } from '@parley/shared/proto';
import { topicKey } from '@parley/shared/values';
import type { HeldTopic } from './hold-conversations.sql';

/** A message of a topic, as far as moving asks. */
export interface TopicMessageRow {
  id: number;
  channelId: number;
  sentChannelId: number;
  sentVersion: number;
  movedVersion: number | null;
  sentAtMs: number;
  participantIds: null;
}

export const LIST_TOPIC_MESSAGES = statement(
  'list-messages-of-topic',
  `select id, channel_id as "channelId", sent_channel_id as "sentChannelId", sent_version as "sentVersion",
     moved_version as "movedVersion", sent_at as "sentAtMs", null as "participantIds"
   from message where realm_id = $1 and conversation_id = $2 and id >= $3 order by id`,
);

/** The topic's messages from an id on, ascending. */
export function listTopicMessages(
  sql: Sql,
  realmId: number,
  conversationId: number,
  fromId: number,
): Promise<TopicMessageRow[]> {
  return sql.query(LIST_TOPIC_MESSAGES, [realmId, conversationId, fromId]);
}

/** Where messages go. */
export interface Destination {
  channelId: number;
  topic: string;
  topicLinks: readonly TopicLink[];
  /** The subscription version of the channel. */
  version: number;
}

/** Gives the topic another name; its messages stay as they are. */
export async function renameTopic(tx: Transaction, realmId: number, id: number, name: string): Promise<void> {
  const rename = 'update topic set name = $3, name_key = $4 where realm_id = $1 and id = $2';
  await tx.query(rename, [realmId, id, name, topicKey(name)]);
}

export const RESET_OWN_TOPICS = statement(
  'reset-own-topics',
  `update message set topic_name = null, topic_links = null
   where realm_id = $1 and conversation_id = $2 and (topic_name is not null or topic_links is not null)`,
);

/** Messages get the topic's name, and the links that go with it. */
export async function resetOwnTopics(
  tx: Transaction,
  realmId: number,
  conversationId: number,
  topicLinks: readonly TopicLink[],
): Promise<void> {
  if (topicLinks.length === 0) {
    await tx.query(RESET_OWN_TOPICS, [realmId, conversationId]);
    return;
  }
  await tx.query(
    `update message set topic_name = null, topic_links = $3
     where realm_id = $1 and conversation_id = $2 and (topic_name is not null or topic_links is distinct from $3::jsonb)`,
    [realmId, conversationId, JSON.stringify(topicLinks)],
  );
}

// A message that is back where it was sent to belongs to those who received it, as at first.
const MOVED_VERSION =
  'case when sent_channel_id = $3 then null when channel_id = $3 then moved_version else $4::bigint end';

/** Messages join the topic `target`. */
export async function joinTopic(
  tx: Transaction,
  realmId: number,
  messageIds: readonly number[],
  target: HeldTopic,
  { channelId, version, topic, topicLinks }: Destination,
): Promise<void> {
  await tx.query(
    `update message set conversation_id = $5, channel_id = $3, moved_version = ${MOVED_VERSION}, topic_name = $6, topic_links = $7
     where realm_id = $1 and id = any($2::bigint[])`,
    [
      realmId,
      messageIds,
      channelId,
      version,
      target.id,
      topic === target.name ? null : topic,
      topicLinks.length === 0 ? null : JSON.stringify(topicLinks),
    ],
  );
}
