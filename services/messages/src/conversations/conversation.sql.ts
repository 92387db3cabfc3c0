import { type Sql, statement } from '@parley/shared/db';
import { messageShape, type RecentDirect } from '@parley/shared/proto';
import { z } from 'zod';

const LIST_TOPICS = statement(
  `select id, channel_id as "channelId" from topic
   where realm_id = $1 and channel_id = any($2::bigint[]) and name_key = $3`,
  { id: z.number(), channelId: z.number() },
);

/** The topics with that key in those channels. */
export function listTopics(sql: Sql, realmId: number, channelIds: readonly number[], nameKey: string) {
  return sql.query(LIST_TOPICS, [realmId, channelIds, nameKey]);
}

const FIND_DIRECT = statement(
  `select id, max_message_id > 0 as "isWritten" from direct_conversation where realm_id = $1 and participant_ids = $2::bigint[]`,
  { id: z.number(), isWritten: z.boolean() },
);

/** The conversation of exactly those participants (ascending); null if there is none. */
export async function findDirectConversation(sql: Sql, realmId: number, participantIds: readonly number[]) {
  const [found] = await sql.query(FIND_DIRECT, [realmId, participantIds]);
  return found ?? null;
}

const LIST_DIRECT = statement(
  `select id from direct_conversation where realm_id = $1 and participant_ids @> array[$2::bigint]`,
  { id: z.number() },
);

/** All direct conversations of the user. */
export async function listDirectConversations(sql: Sql, realmId: number, userId: number): Promise<number[]> {
  const rows = await sql.query(LIST_DIRECT, [realmId, userId]);
  return rows.map(({ id }) => id);
}

const HAS_MESSAGES = `exists (select from message m where m.realm_id = c.realm_id and m.conversation_id = c.id)`;

const HAS_MESSAGES_BETWEEN = statement(
  `select c.id from direct_conversation c where c.realm_id = $1 and c.participant_ids = $2::bigint[] and ${HAS_MESSAGES}`,
  { id: z.number() },
);

/** Whether exactly those participants (ascending) have written to one another. */
export async function hasMessagesBetween(
  sql: Sql,
  realmId: number,
  participantIds: readonly number[],
): Promise<boolean> {
  const rows = await sql.query(HAS_MESSAGES_BETWEEN, [realmId, participantIds]);
  return rows.length > 0;
}

const HAS_MESSAGES_IN_TOPIC = statement(
  `select c.id from topic c where c.realm_id = $1 and c.channel_id = $2 and c.name_key = $3 and ${HAS_MESSAGES}`,
  { id: z.number() },
);

/** Whether the channel has a topic with that key. */
export async function hasMessagesInTopic(
  sql: Sql,
  realmId: number,
  channelId: number,
  nameKey: string,
): Promise<boolean> {
  const rows = await sql.query(HAS_MESSAGES_IN_TOPIC, [realmId, channelId, nameKey]);
  return rows.length > 0;
}

interface TopicName {
  realmId: number;
  channelId: number;
  nameKey: string;
}

/** In a large topic, only the newest messages are checked for reactions. */
const MESSAGES_ASKED = 1_000;

// NOTE: `offset 0` forces index lookups.
/** Finds senders by skipping along an index, so the cost does not depend on the number of their messages. */
const LIST_PARTICIPANTS = statement(
  `with recursive place as (
     select id from topic where realm_id = $1 and channel_id = $2 and name_key = $3
   ), sender (id, n) as (
     (select m.sender_id, 1 from place, lateral (
       select sender_id from message where realm_id = $1 and conversation_id = place.id order by sender_id limit 1) m)
     union all
     select m.sender_id, sender.n + 1 from sender, place, lateral (
       select sender_id from message where realm_id = $1 and conversation_id = place.id and sender_id > sender.id
       order by sender_id limit 1) m
     where sender.n < $5
   ), reactor (id) as (
     select distinct r.user_id from place, lateral (
       select id from message where realm_id = $1 and conversation_id = place.id order by id desc limit ${MESSAGES_ASKED}
     ) m, lateral (
       select user_id from reaction where realm_id = $1 and message_id = m.id offset 0) r
     limit $5
   )
   select id from sender union select id from reactor union select $4::bigint`,
  { id: z.number() },
);

/** Users who wrote or reacted in the topic, and `userId`: all if fewer than `limit`, else at least `limit`. */
export async function listParticipants(
  sql: Sql,
  { realmId, channelId, nameKey }: TopicName,
  userId: number,
  limit: number,
): Promise<number[]> {
  const rows = await sql.query(LIST_PARTICIPANTS, [realmId, channelId, nameKey, userId, limit]);
  return rows.map(({ id }) => id);
}

const MAX_CONVERSATIONS = 1_000;

/** The shape of recentDirectsOf(). */
export const RECENT_DIRECTS = z.array(messageShape<RecentDirect>('messages', 'RecentDirect'));

/** SQL for the user's direct conversations with the newest messages, newest first, as a list in JSON. The arguments are SQL. */
export function recentDirectsOf(realmId: string, userId: string): string {
  return `(select coalesce(json_agg(json_build_object('maxMessageId', d.max_message_id, 'participantIds', d.participant_ids)), '[]')
    from (select max_message_id, participant_ids from direct_conversation
      where realm_id = ${realmId} and participant_ids @> array[${userId}::bigint] and max_message_id > 0
      order by max_message_id desc limit ${MAX_CONVERSATIONS}) d)`;
}
