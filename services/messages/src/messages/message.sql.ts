import { hasRow, type Sql, statement, type Transaction } from '@parley/shared/db';
import { messageShape, type TopicLink } from '@parley/shared/proto';
import { z } from 'zod';
import { HOLDER_IDS } from '../read-state/personal-flags.sql';

/** A stored message with the input of one reader's flags. */
export const MESSAGE_ROW = {
  id: z.number(),
  conversationId: z.number(),
  channelId: z.number().nullable(),
  sentChannelId: z.number().nullable(),
  sentVersion: z.number().nullable(),
  movedVersion: z.number().nullable(),
  senderId: z.number(),
  topic: z.string(),
  topicLinks: z.array(messageShape<TopicLink>('messages', 'TopicLink')).nullable(),
  /** Of a direct message. */
  participantIds: z.array(z.number()).nullable(),
  content: z.string(),
  renderedContent: z.string(),
  sentAtMs: z.number(),
  clientName: z.string(),
  isMeMessage: z.boolean(),
  isReadBySender: z.boolean(),
  /** Other users for whom it started as read. */
  readByIds: z.array(z.number()),
  mentionsChannel: z.boolean(),
  mentionsTopic: z.boolean(),
  mentionsReader: z.boolean(),
  /** It mentions its topic, and the reader was a participant. */
  mentionsReaderInTopic: z.boolean(),
};

export type MessageRow = z.infer<z.ZodObject<typeof MESSAGE_ROW>>;

/** SQL over a row of `message` called `m`: whether it mentions the topic, and the user with it. */
export function mentionsInTopic(userId: string): string {
  return `(m.mentions_topic and (m.topic_participant_ids = '{}' or ${userId} = any(m.topic_participant_ids)))`;
}

/** The columns of MESSAGE_ROW that follow from the message `m` alone. */
export const ownColumns = (
  userId: string,
) => `m.id, m.conversation_id as "conversationId", m.channel_id as "channelId", m.sent_channel_id as "sentChannelId",
     m.sent_version as "sentVersion", m.moved_version as "movedVersion", m.sender_id as "senderId", m.topic_links as "topicLinks", m.content,
     m.rendered_content as "renderedContent", m.sent_at as "sentAtMs", m.client_name as "clientName",
     m.is_me_message as "isMeMessage", m.is_read_by_sender as "isReadBySender",
     m.read_by_ids as "readByIds", m.mentions_channel as "mentionsChannel",
     m.mentions_topic as "mentionsTopic", ${mentionsInTopic(userId)} as "mentionsReaderInTopic"`;

/** SQL: the participants of the message `m`, null in a channel. NOTE: for a join the planner reads all direct conversations of a small organization. */
export const PARTICIPANT_IDS = `case when m.channel_id is null then (
       select d.participant_ids from direct_conversation d where d.realm_id = m.realm_id and d.id = m.conversation_id) end`;

const TOPIC = `coalesce(m.topic_name, (select t.name from topic t where t.realm_id = m.realm_id and t.id = m.conversation_id), '')`;
const MENTIONS_READER = hasRow('from mention n where n.realm_id = $1 and n.user_id = $3 and n.message_id = m.id');

/** SQL for a statement whose rows are MESSAGE_ROW, with `more` columns of `m`; its values are those of loadMessages(). */
export const messageRows = (
  more = '',
  ids = '$2::bigint[]',
) => `select ${ownColumns('$3')}, ${TOPIC} as topic, ${PARTICIPANT_IDS} as "participantIds", ${MENTIONS_READER} as "mentionsReader"${more}
   from message m
   where m.realm_id = $1 and m.id = any(${ids})
   order by m.id`;

/** A message with the data for its events' audience. */
const MESSAGE_ROW_WITH_HOLDERS = {
  ...MESSAGE_ROW,
  /** Users with flags on it who did not receive it. */
  holderIds: z.array(z.number()),
};

export type MessageRowWithHolders = z.infer<z.ZodObject<typeof MESSAGE_ROW_WITH_HOLDERS>>;

/** A message's location, and the receivers of its events who did not receive the message. */
export type MessageToLock = Pick<MessageRowWithHolders, 'id' | 'conversationId' | 'channelId' | 'holderIds'>;

const LOAD = statement(messageRows(`, ${HOLDER_IDS}`), MESSAGE_ROW_WITH_HOLDERS);

/** Messages by id, ascending; missing ids are skipped. */
export function loadMessages(
  sql: Sql,
  realmId: number,
  messageIds: readonly number[],
  readerId: number,
): Promise<MessageRowWithHolders[]> {
  return sql.query(LOAD, [realmId, messageIds, readerId]);
}

/**
 * SQL for the table `held`: the `id` of the message `$2` if it is still in that conversation and channel, and the same users have
 * flags on it. Locks it until the transaction ends.
 */
export const heldTable = (
  conversationId: string,
  channelId: string,
  holderIds: string,
) => `locked as materialized (select id from message
     where realm_id = $1 and id = $2 and conversation_id = ${conversationId} and channel_id is not distinct from ${channelId}::bigint
     for no key update
   ), held as materialized (select id from locked where flag_holders($1, id) = ${holderIds}::bigint[])`;

const LOCK_MESSAGE = statement(`with ${heldTable('$3', '$4', '$5')} select id from held`, { id: z.number() });

/** Locks the message and its holders until the transaction ends; false if they have changed. */
export async function lockMessage(
  tx: Transaction,
  realmId: number,
  { id, conversationId, channelId, holderIds }: MessageToLock,
): Promise<boolean> {
  const values = [realmId, id, conversationId, channelId, holderIds];
  const rows = await tx.query(LOCK_MESSAGE, values);
  return rows.length > 0;
}
