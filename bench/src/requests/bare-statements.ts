import type { Subjects } from '../messages/subjects';

/** The statement of a bare request. Its first column is the answer, as JSON. */
export interface BareStatement {
  database: 'realm' | 'messages';
  text: string;
  values?: unknown[];
}

/** Of a call that asks no database. */
export const NO_STATEMENT: BareStatement = { database: 'realm', text: '' };

const ofMessages = (text: string, values: unknown[] = []): BareStatement => ({ database: 'messages', text, values });
const ofRealm = (text: string): BareStatement => ({ database: 'realm', text });

/** Users are in another database, and are cached by Parley: here each message has as many bytes for its sender. */
const SENDER = `'Ada Byron' as sender_full_name, 'ada@bench.example' as sender_email, '' as sender_realm_str,
  null as avatar_url`;

const IN_CHANNEL = `'general' as display_recipient, 'stream' as type, m.channel_id as stream_id`;
const PERSON = '{"email":"ada@bench.example","full_name":"Ada Byron","id":7,"is_mirror_dummy":false}';
const IN_CONVERSATION = `'[${PERSON},${PERSON}]'::json as display_recipient, 'private' as type`;

/** The messages of channels that match a condition on `m`, with the members of the API's messages. */
export function barePage(realmId: number, condition: string, count: number, order = 'desc'): BareStatement {
  return pageOf(realmId, condition, count, { order, place: IN_CHANNEL });
}

/** The same of conversations between two people. */
export function bareDirectPage(realmId: number, condition: string, count: number): BareStatement {
  return pageOf(realmId, condition, count, { order: 'desc', place: IN_CONVERSATION });
}

function pageOf(
  realmId: number,
  condition: string,
  count: number,
  { order, place }: { order: string; place: string },
): BareStatement {
  return ofMessages(
    `select json_agg(row_to_json(x))::text from (
       select m.id, m.sender_id, m.rendered_content as content, 'text/html' as content_type, m.conversation_id as recipient_id,
         extract(epoch from m.sent_at)::bigint as timestamp, m.client_name as client, coalesce(m.topic_name, t.name) as subject,
         coalesce(m.topic_links, '[]') as topic_links, m.is_me_message, '[]'::json as reactions, '[]'::json as submessages,
         ${SENDER}, ${place}, '["read"]'::json as flags
       from message m left join topic t on t.realm_id = m.realm_id and t.id = m.conversation_id
       where m.realm_id = ${realmId} and ${condition} order by m.id ${order} limit ${count}) x`,
  );
}

/** The reader's account, as it is stored. */
export function bareAccount({ realmId, reader }: Subjects): BareStatement {
  return ofRealm(
    `select row_to_json(u)::text from user_account u where u.realm_id = ${realmId} and u.id = ${reader.userId}`,
  );
}

/** The groups that hold a channel's permissions: here as many bytes. */
const PERMISSIONS = JSON.stringify({
  can_add_subscribers_group: 8,
  can_administer_channel_group: { direct_members: [3], direct_subgroups: [] },
  can_create_topic_group: 2,
  can_delete_any_message_group: 8,
  can_delete_own_message_group: 8,
  can_move_messages_out_of_channel_group: 8,
  can_move_messages_within_channel_group: 8,
  can_remove_subscribers_group: 6,
  can_resolve_topics_group: 8,
  can_subscribe_group: 8,
});

/** The reader's channels and subscriptions, as they are stored. */
export function bareSubscriptions({ realmId, reader }: Subjects): BareStatement {
  return ofRealm(
    `select json_agg(row_to_json(x))::text from (
       select c.*, s.color, s.is_muted, s.is_pinned, s.desktop_notifications, s.audible_notifications, s.push_notifications,
         s.email_notifications, s.wildcard_mentions_notify, '${PERMISSIONS}'::json as permissions
       from subscription s join channel c on c.realm_id = s.realm_id and c.id = s.channel_id
       where s.realm_id = ${realmId} and s.user_id = ${reader.userId} and s.is_active) x`,
  );
}

const REACTION = `insert into bench_reaction (realm_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
  values ($1, $2, $3, 'unicode_emoji', $4, $4) returning '{}'`;

/** A new row, like a reaction of Parley's. */
export function bareReaction({ realmId, reader, ownMessageId }: Subjects, run: number): BareStatement {
  return ofMessages(REACTION, [realmId, ownMessageId, reader.userId, String(run)]);
}

const MESSAGE = `insert into bench_message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
    rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
  values ($1, $2, $3, $4, $4, 1, $5, $6, $7, now(), 'bench', false, true, false, false)`;

/** A new row, like a message of Parley's. */
export function bareSend(subjects: Subjects, run: number): BareStatement {
  const text = `${MESSAGE} returning json_build_object('id', id)::text`;
  return ofMessages(text, messageValues(subjects, subjects.ownMessageId + run, run));
}

const EDITABLE = 200;

/** Changes one of EDITABLE rows, like a message's content. */
export function bareEdit(subjects: Subjects, run: number): BareStatement {
  const text = `${MESSAGE} on conflict (realm_id, id) do update set content = excluded.content, rendered_content = excluded.rendered_content
    returning '{}'`;
  return ofMessages(text, messageValues(subjects, subjects.ownMessageId - 1 - (run % EDITABLE), run));
}

function messageValues({ realmId, topic, ownerId }: Subjects, id: number, run: number): unknown[] {
  return [realmId, id, topic.id, topic.channelId, ownerId, `Hello ${run}`, `<p>Hello ${run}</p>`];
}
