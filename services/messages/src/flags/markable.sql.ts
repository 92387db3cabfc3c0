import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import { mentionsInTopic, PARTICIPANT_IDS } from '../messages/message.sql';
import { STORED_STATE, STORED_STATE_ROW } from '../read-state/read-state.sql';
import type { FlagChange, MarkableMessage } from './update-flags';

const IDS = '$3::bigint[]';
/** Intersected with it, marks stay as they are, but in memory: PostgreSQL would load and unpack stored ones, thousands of ranges, for each message. */
const ALL = `'{(,)}'::int8multirange`;

/** SQL for a join: a user's row of a table for the message `m`. */
type RowOf = (table: string, isWanted: string) => string;

/** For a page: those of all messages at once. */
const atOnce: RowOf = (table, isWanted) => `left join lateral (
     select * from ${table} where ${isWanted} and realm_id = $1 and user_id = $2 and message_id = m.id and message_id = any(${IDS})
   )`;
/** For more, of which thousands may have such a row: PostgreSQL would compare each message with each of them. */
const oneByOne: RowOf = (table, isWanted) => `left join lateral (
     select * from ${table} where ${isWanted} and realm_id = $1 and user_id = $2 and message_id = m.id limit 1
   )`;
const PAGE = 100;

const MARKABLE_ROW = {
  id: z.number(),
  conversationId: z.number(),
  channelId: z.number().nullable(),
  sentChannelId: z.number().nullable(),
  sentVersion: z.number().nullable(),
  movedVersion: z.number().nullable(),
  senderId: z.number(),
  isReadBySender: z.boolean(),
  readByIds: z.array(z.number()),
  participantIds: z.array(z.number()).nullable(),
  topic: z.string(),
  mentionsReader: z.boolean(),
  hasWildcard: z.boolean(),
  topicPolicy: z.number().nullable(),
  ...STORED_STATE_ROW,
};

// NOTE: the user may have thousands of marks and policies. The planner would read all of them for a join, or compare each message with each of
// them, unless a table is told twice which ones are meant, or an offset or a limit makes it look up each.
const loading = (rowOf: RowOf) =>
  statement(
    `select m.id, m.conversation_id as "conversationId", m.channel_id as "channelId", m.sent_channel_id as "sentChannelId",
     m.sent_version as "sentVersion", m.moved_version as "movedVersion", m.sender_id as "senderId",
     m.is_read_by_sender as "isReadBySender", m.read_by_ids as "readByIds", ${PARTICIPANT_IDS} as "participantIds",
     coalesce(m.topic_name, t.name, '') as topic, n.message_id is not null as "mentionsReader",
     m.mentions_channel or ${mentionsInTopic('$2')} as "hasWildcard", t.policy as "topicPolicy", ${STORED_STATE}
   from (
     select conversation_id, array_agg(id) as message_ids from message where realm_id = $1 and id = any(${IDS}) group by conversation_id
   ) place
   left join lateral (
     select read * ${ALL} as read, unread * ${ALL} as unread, unpassed * ${ALL} as unpassed
     from read_exception where realm_id = $1 and user_id = $2 and conversation_id = place.conversation_id limit 1
   ) e on true
   join message m on m.realm_id = $1 and m.id = any(place.message_ids)
   left join lateral (
     select t.name, (
       select policy from topic_policy where realm_id = $1 and user_id = $2 and channel_id = t.channel_id and name_key = t.name_key) as policy
     from topic t where $4 and t.realm_id = $1 and t.id = m.conversation_id offset 0
   ) t on true
   left join read_watermark w on w.realm_id = $1 and w.user_id = $2
   left join lateral (
     select message_id from channel_read_watermark where realm_id = $1 and user_id = $2 and channel_id = m.channel_id limit 1
   ) c on true
   ${rowOf('personal_flag', 'true')} f on true
   ${rowOf('mention', '$4')} n on true`,
    MARKABLE_ROW,
  );

const OF_PAGE = loading(atOnce);
const OF_MANY = loading(oneByOne);

/** Messages to be changed so, by id, ascending, with the user's flags on them; unknown ids are skipped. */
export async function loadMarkable(
  sql: Sql,
  { realmId, userId }: { realmId: number; userId: number },
  messageIds: readonly number[],
  { flag, op }: FlagChange,
): Promise<MarkableMessage[]> {
  const isUnreading = flag === 'read' && op === 'remove';
  const load = messageIds.length <= PAGE ? OF_PAGE : OF_MANY;
  const messages = await sql.query(load, [realmId, userId, messageIds, isUnreading]);
  // PostgreSQL would carry the marks of the conversation along with each message to be sorted.
  return messages.sort((a, b) => a.id - b.id);
}
