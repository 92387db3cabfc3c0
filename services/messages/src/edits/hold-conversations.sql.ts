import type { Transaction } from '@parley/shared/db';
import { topicKey } from '@parley/shared/values';

/**
 * The order in which whoever edits, moves or deletes messages waits for others, in one transaction:
 *
 * 1. topics, ascending by channel and key, in one statement that makes those that are missing, as a send does; direct conversations
 *    stand still by their messages;
 * 2. messages, ascending by id;
 * 3. the files they link to, ascending by id (uploads), then read state and topic policies, ascending by user;
 * 4. the outbox, and what notices are stored with.
 *
 * Sends hold topics in the same order and nothing else that is waited for. A notice that makes a topic comes after all others of its
 * transaction: that alone may end in a deadlock with a send to several topics, and is then tried again (repeat-on-conflict.ts).
 */
export interface HeldTopic {
  id: number;
  channelId: number;
  name: string;
  maxMessageId: number;
  /** Made by holding it: nobody else sees it, and nothing is in it. */
  isNew: boolean;
}

export interface TopicName {
  channelId: number;
  name: string;
}

/** Holds the topics until the transaction ends, in the order given. Those that are new must be used or removed. */
export async function holdTopics(tx: Transaction, realmId: number, topics: readonly TopicName[]): Promise<HeldTopic[]> {
  const rows = await tx.query<HeldTopic & { key: string }>(
    `insert into topic as t (realm_id, channel_id, name, name_key, max_message_id)
     select distinct on (channel_id, name_key) $1::bigint, channel_id, name, name_key, 0
     from unnest($2::bigint[], $3::text[], $4::text[]) as wanted (channel_id, name, name_key)
     order by channel_id, name_key
     on conflict (realm_id, channel_id, name_key) do update set max_message_id = t.max_message_id
     returning t.id, t.channel_id as "channelId", t.name, t.name_key as key, t.max_message_id as "maxMessageId",
       t.xmax = 0 as "isNew"`,
    [
      realmId,
      topics.map(({ channelId }) => channelId),
      topics.map(({ name }) => name),
      topics.map(({ name }) => topicKey(name)),
    ],
  );
  return topics.map(({ channelId, name }) => {
    const key = topicKey(name);
    return rows.find((row) => row.channelId === channelId && row.key === key) as HeldTopic;
  });
}

/** Topics by id, in the same order; those that are gone are left out. */
export async function holdTopicsById(tx: Transaction, realmId: number, ids: readonly number[]): Promise<HeldTopic[]> {
  return tx.query<HeldTopic>(
    `select id, channel_id as "channelId", name, max_message_id as "maxMessageId", false as "isNew" from topic
     where realm_id = $1 and id = any($2::bigint[]) order by channel_id, name_key for update`,
    [realmId, ids],
  );
}

/** Topics end with their last message; of the others the newest message is known. */
export async function settleTopics(tx: Transaction, realmId: number, ids: readonly number[]): Promise<void> {
  await tx.query(
    `with newest as (
       select t.id, (select m.id from message m where m.realm_id = $1 and m.conversation_id = t.id order by m.id desc limit 1)
         as message_id
       from unnest($2::bigint[]) as t (id)
     ), ended as (
       delete from topic t using newest n where t.realm_id = $1 and t.id = n.id and n.message_id is null
     )
     update topic t set max_message_id = n.message_id from newest n
     where t.realm_id = $1 and t.id = n.id and n.message_id is not null and t.max_message_id <> n.message_id`,
    [realmId, ids],
  );
}

/** The next in the order of edits; to be drawn while everything is held. */
export async function drawEditId(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ id: number }>(`select nextval('edit_id') as id`);
  return (row as { id: number }).id;
}

export interface HeldMessage {
  conversationId: number;
  topic: string;
  content: string;
  /** By name or as members of a group. */
  mentionedIds: number[];
  /** Whom a mention of the topic means. */
  topicParticipantIds: number[];
}

/** Holds a message until the transaction ends; null when it is gone. */
export async function holdOneMessage(tx: Transaction, realmId: number, messageId: number): Promise<HeldMessage | null> {
  const [row] = await tx.query<HeldMessage>(
    `select m.conversation_id as "conversationId", m.content, coalesce(m.topic_name, (
       select t.name from topic t where t.realm_id = m.realm_id and t.id = m.conversation_id), '') as topic, array(
       select n.user_id from mention n where n.realm_id = m.realm_id and n.message_id = m.id) as "mentionedIds", m.topic_participant_ids as "topicParticipantIds"
     from message m where m.realm_id = $1 and m.id = $2 for update of m`,
    [realmId, messageId],
  );
  return row ?? null;
}

/** For a topic that was held, turned out to be needed no more and has no messages. */
export async function deleteTopicRow(tx: Transaction, realmId: number, id: number): Promise<void> {
  await tx.query('delete from topic where realm_id = $1 and id = $2', [realmId, id]);
}
