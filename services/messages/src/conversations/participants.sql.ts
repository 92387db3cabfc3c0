import { type Sql, statement } from '@parley/shared/db';

export interface TopicName {
  realmId: number;
  channelId: number;
  nameKey: string;
}

/** Of a topic with more messages only the newest are asked for who reacted. */
const MESSAGES_ASKED = 1_000;

// NOTE: `offset 0` holds the planner to index lookups.
/** Senders are found by going from one to the next along an index, however much they wrote. */
const LIST = statement(
  'list-participants',
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
);

/** Who has written or reacted in the topic, and `userId`: all of them when they are fewer than `limit`, else at least so many. */
export async function listParticipants(
  sql: Sql,
  { realmId, channelId, nameKey }: TopicName,
  userId: number,
  limit: number,
): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(LIST, [realmId, channelId, nameKey, userId, limit]);
  return rows.map(({ id }) => id);
}
