import { type Sql, statement } from '@parley/shared/db';
import { directConversationBegun, messageSent, topicPolicyChanged } from '@parley/shared/events';
import { topicKey } from '@parley/shared/values';
import { FOLLOWED, MUTED } from '../topic-policies/automatic-policy';
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
  topic_participant_ids: ['text', ({ sent }) => bigints(sent.topicParticipantIds ?? [])],
  widget: ['text', ({ widget }) => widget && JSON.stringify(widget)],
  policy_on_send: ['smallint', ({ policies }) => policies?.onSend],
  policy_on_initiation: ['smallint', ({ policies }) => policies?.onInitiation],
  seen_versions: ['text', ({ policies }) => policies?.seenVersions],
  follower_ids: ['text', ({ policies }) => bigints(policies?.followerIds ?? [])],
  payload_after_ids: ['text', ({ sent }) => serializeAfterIds(sent)],
};

/** Whether a sender who sees only what they received sees an earlier message; the newest thousand are asked. */
const SEES_EARLIER = `exists (select from (
       select m.sent_version from message m where m.realm_id = p.realm_id and m.conversation_id = p.topic_id
       order by m.id desc limit 1000
     ) earlier where earlier.sent_version <@ p.seen_versions::int8multirange)`;

/** SQL for what the user has decided about the topic so far; 0: nothing. */
const ownPolicy = (userId: string) => `coalesce((select own.policy from topic_policy own
       where own.realm_id = p.realm_id and own.user_id = ${userId} and own.channel_id = p.channel_id
         and own.name_key = p.topic_key), 0)`;

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
     select i.id, i.n, coalesce(k.message_id, i.id) as message_id, i.realm_id, i.sender_id, i.channel_id, i.topic_key
     from input i left join keyed k on k.realm_id = i.realm_id and k.sender_id = i.sender_id and k.key = i.key
   ), fresh as (
     select * from input i where exists (select from answered a where a.id = i.id and a.message_id = i.id)
   ), topics as (
     insert into topic as t (realm_id, channel_id, name, name_key, max_message_id)
     select realm_id, channel_id, (array_agg(topic order by n))[1], topic_key, max(id)
     from fresh where channel_id is not null
     group by realm_id, channel_id, topic_key order by realm_id, channel_id, topic_key
     on conflict (realm_id, channel_id, name_key)
     do update set max_message_id = greatest(t.max_message_id, excluded.max_message_id)
     returning t.realm_id, t.id, t.channel_id, t.name, t.name_key, t.xmax = 0 as is_new
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
       mentions_channel, mentions_topic, topic_participant_ids)
     select f.realm_id, f.id, coalesce(t.id, d.id), f.channel_id, f.channel_id, f.sent_version, f.sender_id,
       case when f.topic <> t.name then f.topic end, f.topic_links, f.content, f.rendered_content, to_timestamp(f.sent_at_ms / 1000.0),
       f.client_name, f.is_me_message, f.is_read_by_sender, f.read_by_ids::bigint[], f.mentions_channel, f.mentions_topic,
       f.topic_participant_ids::bigint[]
     from fresh f
     left join topics t on t.realm_id = f.realm_id and t.channel_id = f.channel_id and t.name_key = f.topic_key
     left join directs d on f.channel_id is null and d.realm_id = f.realm_id
       and d.participant_ids = f.participant_ids::bigint[]
     returning id, conversation_id
   ), mentioned as (
     insert into mention (realm_id, user_id, message_id)
     select f.realm_id, user_id, f.id from fresh f cross join unnest(f.mentioned_ids::bigint[]) as user_id
   ), widgets as (
     insert into submessage (realm_id, message_id, sender_id, msg_type, content)
     select realm_id, id, sender_id, 'widget', widget from fresh where widget is not null
     returning id, message_id
   ), announced as (
     insert into outbox (realm_id, kind, payload)
     select f.realm_id, '${messageSent.kind}', '{"message":{"id":' || f.id
       || ',"recipientId":' || case when f.channel_id is null then 2 * s.conversation_id + 1 else 2 * f.channel_id end
       || ',"submessages":' || case when f.widget is null then '[]' else (
         select json_build_array(json_build_object('id', w.id, 'messageId', f.id, 'senderId', f.sender_id,
           'msgType', 'widget', 'content', f.widget)) from widgets w where w.message_id = f.id)::text end
       || ',' || f.payload_after_ids
     from stored s join fresh f on f.id = s.id order by f.id
   ), placed as (
     select f.n, f.realm_id, f.sender_id, f.channel_id, f.topic_key, f.sent_at_ms, f.policy_on_send, f.policy_on_initiation,
       f.seen_versions, f.follower_ids, t.id as topic_id, t.name as topic, t.is_new
     from fresh f join topics t on t.realm_id = f.realm_id and t.channel_id = f.channel_id and t.name_key = f.topic_key
     where f.policy_on_send is not null or f.follower_ids <> '{}'
       or (f.policy_on_initiation is not null and (t.is_new or f.seen_versions is not null))
   ), policies as (
     insert into topic_policy as p (realm_id, user_id, channel_id, name_key, name, policy, updated_at)
     select distinct on (realm_id, user_id, channel_id, topic_key)
       realm_id, user_id, channel_id, topic_key, topic, policy, to_timestamp(sent_at_ms / 1000.0)
     from (
       select p.realm_id, p.sender_id as user_id, p.channel_id, p.topic_key, p.topic, p.sent_at_ms,
         coalesce(p.policy_on_send, p.policy_on_initiation) as policy
       from placed p
       where case
         when p.policy_on_send is not null then ${ownPolicy('p.sender_id')} not in (${FOLLOWED}, p.policy_on_send)
         when p.policy_on_initiation is null or ${ownPolicy('p.sender_id')} <> 0 then false
         when p.is_new then not exists (select from fresh other where other.realm_id = p.realm_id
           and other.channel_id = p.channel_id and other.topic_key = p.topic_key and other.n < p.n)
         else p.seen_versions is not null and not ${SEES_EARLIER}
       end
       union all
       select p.realm_id, follower.id, p.channel_id, p.topic_key, p.topic, p.sent_at_ms, ${FOLLOWED}
       from placed p cross join unnest(p.follower_ids::bigint[]) as follower (id)
       where ${ownPolicy('follower.id')} not in (${MUTED}, ${FOLLOWED})
     ) change order by realm_id, user_id, channel_id, topic_key, policy desc
     on conflict (realm_id, user_id, channel_id, name_key)
     do update set policy = excluded.policy, updated_at = excluded.updated_at where p.policy <> ${FOLLOWED}
     returning p.realm_id, p.user_id, p.channel_id, p.name_key, p.name, p.policy, p.updated_at
   ), followed as (
     insert into outbox (realm_id, kind, payload)
     select realm_id, '${topicPolicyChanged.kind}', json_build_object('userId', user_id, 'topicPolicy', json_build_object(
       'channelId', channel_id, 'topic', name, 'policy', policy,
       'updatedAtMs', (extract(epoch from updated_at) * 1000)::bigint))
     from policies
   ), begun as (
     insert into outbox (realm_id, kind, payload)
     select d.realm_id, '${directConversationBegun.kind}', json_build_object('participantIds', d.participant_ids)
     from directs d where d.is_new
   )
   select a.message_id as "messageId", a.message_id = a.id as "isNew", (
     select p.policy from policies p where p.realm_id = a.realm_id and p.user_id = a.sender_id
       and p.channel_id = a.channel_id and p.name_key = a.topic_key) as "newPolicy"
   from answered a order by a.n`,
);

export interface Stored {
  messageId: number;
  /** False: this is the first answer to a repeated key. */
  isNew: boolean;
  /** What the sender's policy for the topic has become by sending. */
  newPolicy: number | null;
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
