import { type Sql, statement } from '@parley/shared/db';
import { directConversationBegun, messageSent } from '@parley/shared/events';
import type { TopicLink } from '@parley/shared/proto';
import { topicKey } from '@parley/shared/values';
import { type NewMessage, type PendingMessageSent, serializeAfterIds } from './new-message';

/** What the statement reads, one array a column: its type, and its value for a message. */
const INPUT: Record<string, [type: string, cellOf: (message: NewMessage) => unknown]> = {
  key: ['text', ({ key }) => key],
  realm_id: ['bigint', ({ sent }) => sent.message.realmId],
  sender_id: ['bigint', ({ sent }) => sent.message.sender?.id],
  channel_id: ['bigint', ({ sent }) => sent.message.channelId],
  sent_version: ['bigint', ({ sent }) => sent.subscriptionVersion],
  topic: ['text', ({ sent }) => sent.message.topic],
  topic_key: ['text', ({ sent }) => topicKey(sent.message.topic)],
  topic_links: ['jsonb', ({ sent }) => jsonOrNull(sent.message.topicLinks)],
  participant_ids: ['text', ({ sent }) => bigints(sent.message.participants.map(({ id }) => id))],
  content: ['text', ({ sent }) => sent.message.content],
  rendered_content: ['text', ({ sent }) => sent.message.renderedContent],
  sent_at_ms: ['bigint', ({ sent }) => sent.message.sentAtMs],
  client_name: ['text', ({ sent }) => sent.message.clientName],
  is_me_message: ['boolean', ({ sent }) => sent.message.isMeMessage],
  is_read_by_sender: ['boolean', ({ sent }) => isReadBySender(sent)],
  read_by_ids: ['text', ({ sent }) => otherReaders(sent)],
  mentioned_ids: ['text', ({ sent }) => bigints(sent.mentionedIds)],
  mentions_channel: ['boolean', ({ sent }) => sent.mentionsChannel],
  mentions_topic: ['boolean', ({ sent }) => sent.mentionsTopic],
  payload_after_ids: ['text', ({ sent }) => serializeAfterIds(sent)],
};

const columns = Object.keys(INPUT).join(', ');
const parameters = Object.values(INPUT).map(([type], index) => `$${index + 1}::${type}[]`);

/**
 * Keys, topics and direct conversations are each written in the order of their unique index, and one table after the other, so
 * that batches which share some wait for one another instead of deadlocking.
 *
 * A key's conflict is answered by `do update`, because that returns the first answer also when its transaction was committed after
 * this statement began, where a plain read would not see it.
 */
const STORE = statement(
  'store-messages',
  `with input as (
     select nextval('message_id') as id, n, ${columns}
     from unnest(${parameters.join(', ')}) with ordinality as i (${columns}, n)
   ), keyed as (
     insert into send_key as k (realm_id, sender_id, key, message_id, created_at)
     select distinct on (realm_id, sender_id, key) realm_id, sender_id, key, id, to_timestamp(sent_at_ms / 1000.0)
     from input where key is not null order by realm_id, sender_id, key, n
     on conflict (realm_id, sender_id, key) do update set message_id = k.message_id
     returning k.realm_id, k.sender_id, k.key, k.message_id
   ), answered as (
     select i.id, i.n, coalesce(k.message_id, i.id) as message_id
     from input i left join keyed k on k.realm_id = i.realm_id and k.sender_id = i.sender_id and k.key = i.key
   ), fresh as (
     select i.id, i.n, ${columns} from input i join answered a on a.id = i.id and a.message_id = i.id
   ), topics as (
     insert into topic as t (realm_id, channel_id, name, name_key, max_message_id)
     select realm_id, channel_id, (array_agg(topic order by n))[1], topic_key, max(id)
     from fresh where channel_id is not null
     group by realm_id, channel_id, topic_key order by realm_id, channel_id, topic_key
     on conflict (realm_id, channel_id, name_key)
     do update set max_message_id = greatest(t.max_message_id, excluded.max_message_id)
     returning t.realm_id, t.id, t.channel_id, t.name, t.name_key
   ), directs as (
     insert into direct_conversation as d (realm_id, participant_ids, max_message_id)
     select realm_id, participant_ids::bigint[], max(id)
     -- The count is there to be waited for: topics first.
     from fresh where channel_id is null and (select count(*) from topics) >= 0
     group by realm_id, participant_ids::bigint[] order by realm_id, participant_ids::bigint[]
     on conflict (realm_id, participant_ids)
     do update set max_message_id = greatest(d.max_message_id, excluded.max_message_id)
     -- Rows that were there before have been updated by a transaction: this one.
     returning d.realm_id, d.id, d.participant_ids, d.xmax = 0 as is_new
   ), stored as (
     insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, topic_name,
       topic_links, content, rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, read_by_ids,
       mentions_channel, mentions_topic)
     select f.realm_id, f.id, coalesce(t.id, d.id), f.channel_id, f.channel_id, f.sent_version, f.sender_id,
       case when f.topic <> t.name then f.topic end, f.topic_links, f.content, f.rendered_content, to_timestamp(f.sent_at_ms / 1000.0),
       f.client_name, f.is_me_message, f.is_read_by_sender, f.read_by_ids::bigint[], f.mentions_channel, f.mentions_topic
     from fresh f
     left join topics t on t.realm_id = f.realm_id and t.channel_id = f.channel_id and t.name_key = f.topic_key
     left join directs d on f.channel_id is null and d.realm_id = f.realm_id
       and d.participant_ids = f.participant_ids::bigint[]
     returning id, conversation_id
   ), mentioned as (
     insert into mention (realm_id, user_id, message_id)
     select f.realm_id, user_id, f.id from fresh f cross join unnest(f.mentioned_ids::bigint[]) as user_id
   ), announced as (
     insert into outbox (realm_id, kind, payload)
     select f.realm_id, '${messageSent.kind}', '{"message":{"id":' || f.id
       || ',"recipientId":' || case when f.channel_id is null then 2 * s.conversation_id + 1 else 2 * f.channel_id end
       || ',' || f.payload_after_ids
     from stored s join fresh f on f.id = s.id order by f.id
   ), begun as (
     insert into outbox (realm_id, kind, payload)
     select d.realm_id, '${directConversationBegun.kind}', json_build_object('participantIds', d.participant_ids)
     from directs d where d.is_new
   )
   select message_id as "messageId", message_id = id as "isNew" from answered order by n`,
);

export interface Stored {
  messageId: number;
  /** False: this is the first answer to a repeated key. */
  isNew: boolean;
}

/** Stores messages, all they bring along, and their announcements, in one statement that is its own transaction. */
export function storeMessages(sql: Sql, messages: readonly NewMessage[]): Promise<Stored[]> {
  return sql.query(
    STORE,
    Object.values(INPUT).map(([, cellOf]) => messages.map(cellOf)),
  );
}

function isReadBySender({ message, readByIds }: PendingMessageSent): boolean {
  return readByIds.some((id) => id === message.sender?.id);
}

function otherReaders({ message, readByIds }: PendingMessageSent): string {
  return bigints(readByIds.filter((id) => id !== message.sender?.id));
}

/** Arrays of different lengths cannot be members of an array: they travel as text. */
function bigints(ids: readonly number[]): string {
  return `{${ids.join(',')}}`;
}

function jsonOrNull(list: readonly unknown[]): string | null {
  return list.length > 0 ? JSON.stringify(list) : null;
}

/** A stored message and what one reader's flags depend on. */
export interface MessageRow {
  id: number;
  conversationId: number;
  channelId: number | null;
  sentChannelId: number | null;
  sentVersion: number | null;
  senderId: number;
  topic: string;
  topicLinks: TopicLink[] | null;
  /** Of a direct message. */
  participantIds: number[] | null;
  content: string;
  renderedContent: string;
  sentAtMs: number;
  clientName: string;
  isMeMessage: boolean;
  isReadBySender: boolean;
  /** Others for whom it started as read. */
  readByIds: number[];
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  mentionsReader: boolean;
}

const LOAD = statement(
  'load-messages',
  `select m.id, m.conversation_id as "conversationId", m.channel_id as "channelId", m.sent_channel_id as "sentChannelId",
     m.sent_version as "sentVersion", m.sender_id as "senderId", coalesce(m.topic_name, t.name, '') as topic,
     m.topic_links as "topicLinks", d.participant_ids as "participantIds", m.content,
     m.rendered_content as "renderedContent", m.sent_at as "sentAtMs", m.client_name as "clientName",
     m.is_me_message as "isMeMessage", m.is_read_by_sender as "isReadBySender",
     m.read_by_ids as "readByIds", m.mentions_channel as "mentionsChannel",
     m.mentions_topic as "mentionsTopic", n.message_id is not null as "mentionsReader"
   from message m
   left join topic t on t.realm_id = m.realm_id and t.id = m.conversation_id
   left join direct_conversation d on d.realm_id = m.realm_id and d.id = m.conversation_id
   left join mention n on n.realm_id = m.realm_id and n.user_id = $3 and n.message_id = m.id
   where m.realm_id = $1 and m.id = any($2::bigint[])
   order by m.id`,
);

/** Messages by id, ascending; ids that do not exist are left out. */
export function loadMessages(
  sql: Sql,
  realmId: number,
  messageIds: readonly number[],
  readerId: number,
): Promise<MessageRow[]> {
  return sql.query(LOAD, [realmId, messageIds, readerId]);
}
