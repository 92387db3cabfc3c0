import {
  channelBeginningChanged,
  directConversationBegun,
  messageSent,
  topicPolicyChanged,
} from '@parley/shared/events';
import { FOLLOWED, MUTED } from '../conversations/automatic-policy';
import { sendsLock } from '../read-state/stays-read.sql';

/** Whether a sender who sees only received messages sees an earlier message; the newest thousand are checked. */
const SEES_EARLIER = `exists (select from (
       select m.sent_version from message m where m.realm_id = p.realm_id and m.conversation_id = p.topic_id
       order by m.id desc limit 1000
     ) earlier where earlier.sent_version <@ p.seen_versions::int8multirange)`;

/** SQL for the user's current policy for the topic; 0: none. */
const ownPolicy = (userId: string, key = 'p.topic_key') => `coalesce((select own.policy from topic_policy own
       where own.realm_id = p.realm_id and own.user_id = ${userId} and own.channel_id = p.channel_id
         and own.name_key = ${key}), 0)`;

/** Optional parts of a batch. The statement omits the tables of absent parts, which saves two thirds of its time. */
export interface Parts {
  keys: boolean;
  directs: boolean;
  mentions: boolean;
  widgets: boolean;
  policies: boolean;
}

/** A parameter of the statement that is an array, with one value per message. */
interface InputColumn {
  name: string;
  type: string;
}

/**
 * The statement that stores a batch with these parts. It returns rows in the order of the messages.
 *
 * Keys, topics and direct conversations are each written in the order of their unique index, and one table after the other, so
 * that batches which share some wait for one another instead of deadlocking.
 */
export function storeText(has: Parts, columns: readonly InputColumn[]): string {
  const tables = [
    ...(has.keys ? [input('input', columns), KEYED, ANSWERED, FRESH] : [input('fresh', columns)]),
    TOPICS,
    ...(has.directs ? [DIRECTS] : []),
    stored(has),
    ...(has.mentions ? [MENTIONED, CALLED] : []),
    ...(has.widgets ? [WIDGETS] : []),
    announced(has),
    ...[BEGINNERS, PRECEDED, BEGUN_CHANNELS],
    ...(has.policies ? [PLACED, POLICIES, FOLLOWED_TOPICS] : []),
    ...(has.policies && has.keys ? [KEPT_POLICIES] : []),
    ...(has.directs ? [BEGUN_DIRECTS] : []),
  ];
  const answer = has.keys
    ? `a.message_id as "messageId", a.message_id = a.id as "isNew", a.is_reused as "isReused"`
    : `a.id as "messageId", true as "isNew", false as "isReused"`;
  return `with ${tables.join(', ')}
   select ${answer}, ${has.policies ? NEW_POLICY : NO_POLICY} as "newPolicy"
   from ${has.keys ? 'answered' : 'fresh'} a order by a.n`;
}

// The ids are taken when the batch has its turn: who marks everything as read waits for it, or goes before it.
function input(table: string, columns: readonly InputColumn[]): string {
  const names = columns.map(({ name }) => name).join(', ');
  const parameters = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
  const realmIds = `$${columns.findIndex(({ name }) => name === 'realm_id') + 1}::bigint[]`;
  return `turn as materialized (
     select count(pg_advisory_xact_lock_shared(${sendsLock('realm_id')})) as count
     from (select distinct realm_id from unnest(${realmIds}) as realm_id order by realm_id offset 0) as realm
   ), ${table} as (
     select nextval('message_id') as id, n, ${names} from unnest(${parameters}) with ordinality as i (${names}, n), turn
     where turn.count >= 0
   )`;
}

// A conflict uses `do update`, which returns the first answer even if that was committed after this statement began; a
// plain read would not see it.
const KEYED = `keyed as (
     insert into send_key as k (realm_id, sender_id, key, message_id, created_at, digest)
     select distinct on (realm_id, sender_id, key) realm_id, sender_id, key, id, to_timestamp(sent_at_ms / 1000.0), key_digest
     from input where key is not null order by realm_id, sender_id, key, n
     on conflict (realm_id, sender_id, key) do update set message_id = k.message_id
     returning k.realm_id, k.sender_id, k.key, k.message_id, k.digest
   )`;

const ANSWERED = `answered as (
     select i.id, i.n, coalesce(k.message_id, i.id) as message_id, coalesce(k.digest <> i.key_digest, false) as is_reused,
       i.realm_id, i.sender_id, i.channel_id, i.topic_key
     from input i left join keyed k on k.realm_id = i.realm_id and k.sender_id = i.sender_id and k.key = i.key
   )`;

/** Messages without an earlier answer. */
const FRESH = `fresh as (
     select * from input i where exists (select from answered a where a.id = i.id and a.message_id = i.id)
   )`;

// A row that existed before has been updated by this transaction, so its xmax is not 0.
const TOPICS = `topics as (
     insert into topic as t (realm_id, channel_id, name, name_key, max_message_id)
     select realm_id, channel_id, (array_agg(topic order by n))[1], topic_key, max(id)
     from fresh where channel_id is not null
     group by realm_id, channel_id, topic_key order by realm_id, channel_id, topic_key
     on conflict (realm_id, channel_id, name_key)
     do update set max_message_id = greatest(t.max_message_id, excluded.max_message_id)
     returning t.realm_id, t.id, t.channel_id, t.name, t.name_key, t.max_message_id, t.xmax = 0 as is_new
   )`;

// The count makes this wait for the topics.
const DIRECTS = `directs as (
     insert into direct_conversation as d (realm_id, participant_ids, max_message_id)
     select realm_id, participant_ids::bigint[], max(id)
     from fresh where channel_id is null and (select count(*) from topics) >= 0
     group by realm_id, participant_ids::bigint[] order by realm_id, participant_ids::bigint[]
     on conflict (realm_id, participant_ids)
     do update set max_message_id = greatest(d.max_message_id, excluded.max_message_id)
     returning d.realm_id, d.id, d.participant_ids, d.xmax = 0 as is_new
   )`;

const stored = ({ directs }: Parts) => `stored as (
     insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, topic_name,
       topic_links, content, rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, read_by_ids,
       mentions_channel, mentions_topic, topic_participant_ids)
     select f.realm_id, f.id, ${directs ? 'coalesce(t.id, d.id)' : 't.id'}, f.channel_id, f.channel_id, f.sent_version, f.sender_id,
       case when f.topic <> t.name then f.topic end, f.topic_links, f.content, f.rendered_content, to_timestamp(f.sent_at_ms / 1000.0),
       f.client_name, f.is_me_message, f.is_read_by_sender, f.read_by_ids::bigint[], f.mentions_channel, f.mentions_topic,
       f.topic_participant_ids::bigint[]
     from fresh f
     left join topics t on t.realm_id = f.realm_id and t.channel_id = f.channel_id and t.name_key = f.topic_key
     ${directs ? JOINED_DIRECTS : ''}
     returning id, conversation_id
   )`;

const JOINED_DIRECTS = `left join directs d on f.channel_id is null and d.realm_id = f.realm_id
       and d.participant_ids = f.participant_ids::bigint[]`;

const MENTIONED = `mentioned as (
     insert into mention (realm_id, user_id, message_id)
     select f.realm_id, user_id, f.id from fresh f cross join unnest(f.mentioned_ids::bigint[]) as user_id
   )`;

const CALLED = `called as (
     insert into personal_flag (realm_id, user_id, message_id, is_historical, is_called)
     select f.realm_id, user_id, f.id, true, true from fresh f cross join unnest(f.called_bot_ids::bigint[]) as user_id
   )`;

const WIDGETS = `widgets as (
     insert into submessage (realm_id, message_id, sender_id, msg_type, content)
     select realm_id, id, sender_id, 'widget', widget from fresh where widget is not null
     returning id, message_id
   )`;

const announced = ({ widgets }: Parts) => `announced as (
     insert into outbox (realm_id, kind, payload)
     select f.realm_id, '${messageSent.kind}', '{"message":{"id":' || f.id
       || ',"recipientId":' || case when f.channel_id is null then 2 * s.conversation_id + 1 else 2 * f.channel_id end
       || ',"submessages":' || ${widgets ? SUBMESSAGES : `'[]'`} || ',' || f.payload_after_ids
     from stored s join fresh f on f.id = s.id order by f.id
   )`;

const SUBMESSAGES = `case when f.widget is null then '[]' else (
         select json_build_array(json_build_object('id', w.id, 'messageId', f.id, 'senderId', f.sender_id,
           'msgType', 'widget', 'content', f.widget)) from widgets w where w.message_id = f.id)::text end`;

/** A channel's first message starts its topic, unless one with a later id was stored before. */
const BEGINNERS = `beginners as (
     select t.realm_id, t.channel_id, min(f.id) as id
     from topics t join fresh f on f.realm_id = t.realm_id and f.channel_id = t.channel_id and f.topic_key = t.name_key
     where t.is_new or t.max_message_id > f.id
     group by t.realm_id, t.channel_id
   )`;

// Waits for a transaction that deletes or moves the previous message: the second of the two announces the channel's new
// beginning.
const PRECEDED = `preceded as materialized (
     select b.realm_id, b.channel_id from beginners b cross join lateral (
       select m.id from message m where m.realm_id = b.realm_id and m.channel_id = b.channel_id and m.id < b.id
       order by m.id limit 1 for key share
     ) earlier
   )`;

const BEGUN_CHANNELS = `begun_channels as (
     insert into outbox (realm_id, kind, payload)
     select b.realm_id, '${channelBeginningChanged.kind}', json_build_object('channel', json_build_object('id', b.channel_id, 'name', ''),
       'firstMessageId', b.id, 'audience', json_build_object('to', 'users', 'userIds', '{}'::bigint[]))
     from beginners b
     where not exists (select from preceded p where p.realm_id = b.realm_id and p.channel_id = b.channel_id)
   )`;

/** Messages that may change users' policies for their topic. */
const PLACED = `placed as (
     select f.n, f.realm_id, f.sender_id, f.channel_id, f.topic_key, f.sent_at_ms, f.policy_on_send, f.policy_on_initiation,
       f.seen_versions, f.follower_ids, t.id as topic_id, t.name as topic, t.is_new
     from fresh f join topics t on t.realm_id = f.realm_id and t.channel_id = f.channel_id and t.name_key = f.topic_key
     where f.policy_on_send is not null or f.follower_ids <> '{}'
       or (f.policy_on_initiation is not null and (t.is_new or f.seen_versions is not null))
   )`;

/** Whether the sender starts the topic, as far as they can see. */
const BEGINS = `case
           when p.policy_on_initiation is null or ${ownPolicy('p.sender_id')} <> 0 then false
           when p.is_new then not exists (select from fresh other where other.realm_id = p.realm_id
             and other.channel_id = p.channel_id and other.topic_key = p.topic_key and other.n < p.n)
           else p.seen_versions is not null and not ${SEES_EARLIER}
         end`;

const POLICIES = `policies as (
     insert into topic_policy as p (realm_id, user_id, channel_id, name_key, name, policy, updated_at)
     select distinct on (realm_id, user_id, channel_id, topic_key)
       realm_id, user_id, channel_id, topic_key, topic, policy, to_timestamp(sent_at_ms / 1000.0)
     from (
       select p.realm_id, p.sender_id as user_id, p.channel_id, p.topic_key, p.topic, p.sent_at_ms,
         case when i.begins then p.policy_on_initiation else p.policy_on_send end as policy
       from placed p cross join lateral (select ${BEGINS} as begins) i
       where i.begins or p.policy_on_send is not null and ${ownPolicy('p.sender_id')} not in (${FOLLOWED}, p.policy_on_send)
       union all
       select p.realm_id, follower.id, p.channel_id, p.topic_key, p.topic, p.sent_at_ms, ${FOLLOWED}
       from placed p cross join unnest(p.follower_ids::bigint[]) as follower (id)
       where ${ownPolicy('follower.id')} not in (${MUTED}, ${FOLLOWED})
     ) change order by realm_id, user_id, channel_id, topic_key, policy desc
     on conflict (realm_id, user_id, channel_id, name_key)
     do update set policy = excluded.policy, updated_at = excluded.updated_at, is_shown = true where p.policy <> ${FOLLOWED}
     returning p.realm_id, p.user_id, p.channel_id, p.name_key, p.name, p.policy, p.updated_at
   )`;

const FOLLOWED_TOPICS = `followed as (
     insert into outbox (realm_id, kind, payload)
     select p.realm_id, '${topicPolicyChanged.kind}', json_strip_nulls(json_build_object(
       'userId', p.user_id, 'topicPolicy', json_build_object('channelId', p.channel_id, 'topic', p.name, 'policy', p.policy,
         'updatedAtMs', (extract(epoch from p.updated_at) * 1000)::bigint),
       'changesMuted', case when ${ownPolicy('p.user_id', 'p.name_key')} = ${MUTED} then true end))
     from policies p
   )`;

/** For repeated sends: a key's row cannot be changed by the statement that inserts it. */
const KEPT_POLICIES = `kept_policies as (
     insert into send_key_policy (realm_id, sender_id, key, policy)
     select f.realm_id, f.sender_id, f.key, p.policy
     from fresh f join policies p on p.realm_id = f.realm_id and p.user_id = f.sender_id and p.channel_id = f.channel_id
       and p.name_key = f.topic_key
     where f.key is not null
   )`;

const BEGUN_DIRECTS = `begun as (
     insert into outbox (realm_id, kind, payload)
     select d.realm_id, '${directConversationBegun.kind}', json_build_object('participantIds', d.participant_ids)
     from directs d where d.is_new
   )`;

const NEW_POLICY = `(select p.policy from policies p where p.realm_id = a.realm_id and p.user_id = a.sender_id
       and p.channel_id = a.channel_id and p.name_key = a.topic_key)`;

// A batch without policies starts a topic for which its sender may get one: roll back, and retry with policies.
const NO_POLICY = `case when exists (
       select from fresh f
       join topics t on t.realm_id = f.realm_id and t.channel_id = f.channel_id and t.name_key = f.topic_key
       where t.is_new and f.policy_on_initiation is not null
     ) then fail_as_topic_is_new() end`;
