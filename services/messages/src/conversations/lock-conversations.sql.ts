import { statement, type Transaction } from '@parley/shared/db';
import { topicKey } from '@parley/shared/values';
import { z } from 'zod';

/**
 * The order of locks of a transaction that edits, moves or deletes messages:
 *
 * 1. topics, ascending by channel and key, in one statement that creates missing ones, as a send does; direct conversations are
 *    protected by the locks on their messages;
 * 2. messages, ascending by id;
 * 3. topic policies, ascending by user; linked files, ascending by id (uploads); read state;
 * 4. the outbox, and the rows of notices.
 *
 * Sends lock topics in the same order and wait for nothing else. A notice that creates a topic comes after all others of its
 * transaction; only this may deadlock with a send to several topics, and is then retried (repeat-on-conflict.ts).
 */
const LOCKED_TOPIC = {
  id: z.number(),
  channelId: z.number(),
  name: z.string(),
  maxMessageId: z.number(),
  /** Created by the lock: empty, and invisible to other transactions. */
  isNew: z.boolean(),
};

export type LockedTopic = z.infer<z.ZodObject<typeof LOCKED_TOPIC>>;

interface TopicName {
  channelId: number;
  name: string;
}

const LOCK_TOPICS = statement(
  `insert into topic as t (realm_id, channel_id, name, name_key, max_message_id)
   select distinct on (channel_id, name_key) $1::bigint, channel_id, name, name_key, 0
   from unnest($2::bigint[], $3::text[], $4::text[]) as wanted (channel_id, name, name_key)
   order by channel_id, name_key
   on conflict (realm_id, channel_id, name_key) do update set max_message_id = t.max_message_id
   returning t.id, t.channel_id as "channelId", t.name, t.name_key as key, t.max_message_id as "maxMessageId",
     t.xmax = 0 as "isNew"`,
  { ...LOCKED_TOPIC, key: z.string() },
);

/** Locks the topics until the transaction ends, in the order given; creates missing ones, which must be used or removed. */
export async function lockTopics(
  tx: Transaction,
  realmId: number,
  topics: readonly TopicName[],
): Promise<LockedTopic[]> {
  const rows = await tx.query(LOCK_TOPICS, [
    realmId,
    topics.map(({ channelId }) => channelId),
    topics.map(({ name }) => name),
    topics.map(({ name }) => topicKey(name)),
  ]);
  return topics.map(({ channelId, name }) => {
    const key = topicKey(name);
    return rows.find((row) => row.channelId === channelId && row.key === key) as LockedTopic;
  });
}

/**
 * SQL for tables that delete topics with their last message and update the newest message of the others, in the organization
 * `$1`. The arguments are SQL: ids of the topics, and of messages about to be removed.
 */
export function settlement(topicIds: string, goneIds: string): string {
  return `newest as (
       select t.id, (select m.id from message m
         where m.realm_id = $1 and m.conversation_id = t.id and m.id <> all(${goneIds}::bigint[]) order by m.id desc limit 1) as message_id
       from unnest(${topicIds}::bigint[]) as t (id)
     ), ended as (
       delete from topic t using newest n where t.realm_id = $1 and t.id = n.id and n.message_id is null
     ), settled as (
       update topic t set max_message_id = n.message_id from newest n
       where t.realm_id = $1 and t.id = n.id and n.message_id is not null and t.max_message_id <> n.message_id
     )`;
}

const SETTLE_TOPICS = statement(`with ${settlement('$2', `'{}'`)} select`, {});

/** To be called after messages have left or joined topics. */
export async function settleTopics(tx: Transaction, realmId: number, ids: readonly number[]): Promise<void> {
  await tx.query(SETTLE_TOPICS, [realmId, ids]);
}

const POLICY_PAIR = z.strictObject({
  userId: z.number(),
  /** Policies for the source and the target topic; 0: none. */
  from: z.number(),
  to: z.number(),
  /** Whether clients have them. */
  isFromShown: z.boolean(),
  isToShown: z.boolean(),
});

export type PolicyPair = z.infer<typeof POLICY_PAIR>;

const NEWEST_MESSAGE = z.strictObject({
  id: z.number(),
  conversationId: z.number(),
  senderId: z.number(),
  content: z.string(),
  sentAtMs: z.number(),
});

export type NewestMessage = z.infer<typeof NEWEST_MESSAGE>;

const LOCKED_MESSAGE = {
  /** The number in the order of edits, assigned when the message was locked. */
  editId: z.number(),
  conversationId: z.number(),
  topic: z.string(),
  content: z.string(),
  /** By name or as members of a group. */
  mentionedIds: z.array(z.number()),
  /** The users mentioned by a wildcard of the topic. */
  topicParticipantIds: z.array(z.number()),
  /** Users with flags on it who did not receive it. */
  holderIds: z.array(z.number()),
  /** Users' policies for both topics, for a move from one to the other. */
  policies: z.array(POLICY_PAIR),
  /** The last messages of the topics. */
  newest: z.array(NEWEST_MESSAGE),
};

export type LockedMessage = z.infer<z.ZodObject<typeof LOCKED_MESSAGE>>;

const POLICIES = `policies as (
       select p.user_id, p.policy, p.is_shown, p.channel_id = t.channel_ids[1] and p.name_key = t.keys[1] as is_from
       from (select $3::bigint[] as channel_ids, $4::text[] as keys) t join topic_policy p
         on p.realm_id = $1 and (p.channel_id, p.name_key) in ((t.channel_ids[1], t.keys[1]), (t.channel_ids[2], t.keys[2]))
       order by p.user_id, p.channel_id, p.name_key for update of p
     ), pairs as (
       select user_id, coalesce(max(policy) filter (where is_from), 0) as "from", coalesce(max(policy) filter (where not is_from), 0) as "to",
         coalesce(bool_or(is_shown) filter (where is_from), false) as "isFromShown",
         coalesce(bool_or(is_shown) filter (where not is_from), false) as "isToShown"
       from policies group by user_id
     )`;

const NEWEST = `(select coalesce(json_agg(newest), '[]') from unnest($5::bigint[]) as topic (id) cross join lateral (
       select m.id, m.conversation_id as "conversationId", m.sender_id as "senderId", m.content,
         floor(extract(epoch from m.sent_at) * 1000) as "sentAtMs"
       from message m where m.realm_id = $1 and m.conversation_id = topic.id order by m.id desc limit 1
     ) newest)`;

const LOCK_ONE_MESSAGE = statement(
  `with held as (
     select m.conversation_id, m.content, m.topic_name, m.topic_participant_ids
     from message m where m.realm_id = $1 and m.id = $2 for update
   ), ${POLICIES}
   select nextval('edit_id') as "editId", conversation_id as "conversationId", content, coalesce(topic_name, (
     select t.name from topic t where t.realm_id = $1 and t.id = conversation_id), '') as topic, array(
     select n.user_id from mention n where n.realm_id = $1 and n.message_id = $2) as "mentionedIds",
     topic_participant_ids as "topicParticipantIds", flag_holders($1, $2) as "holderIds", (
     select coalesce(json_agg(json_build_object('userId', user_id, 'from', "from", 'to', "to",
       'isFromShown', "isFromShown", 'isToShown', "isToShown") order by user_id), '[]')
     from pairs) as policies, ${NEWEST} as newest
   from held`,
  LOCKED_MESSAGE,
);

/**
 * Locks a message, and the policies of the topics that it moves between, until the transaction ends; null if the
 * message is gone.
 */
export async function lockOneMessage(
  tx: Transaction,
  realmId: number,
  messageId: number,
  topics: readonly (TopicName & { id: number })[],
): Promise<LockedMessage | null> {
  const [row] = await tx.query(LOCK_ONE_MESSAGE, [
    realmId,
    messageId,
    topics.map(({ channelId }) => channelId),
    topics.map(({ name }) => topicKey(name)),
    topics.map(({ id }) => id),
  ]);
  return row ?? null;
}
