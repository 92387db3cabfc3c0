import type { Database } from '@parley/shared/db';
import { topicKey } from '@parley/shared/values';

/** The stored columns of a send that read state depends on. */
export interface StoredSend {
  realmId: number;
  channelId: number | null;
  version: number;
  topic: string;
  participantIds: number[];
  senderId: number;
  isReadBySender: boolean;
  mentionedIds: number[];
  isWildcard: boolean;
}

const STORE = `with drawn as (select nextval('message_id') as id
  ), in_topic as (
    insert into topic as t (realm_id, channel_id, name, name_key, max_message_id)
    select $1, $2, $4, $5, id from drawn where $2::bigint is not null
    on conflict (realm_id, channel_id, name_key) do update set max_message_id = greatest(t.max_message_id, excluded.max_message_id)
    returning id
  ), in_direct as (
    insert into direct_conversation as d (realm_id, participant_ids, max_message_id)
    select $1, $6, id from drawn where $2::bigint is null
    on conflict (realm_id, participant_ids) do update set max_message_id = greatest(d.max_message_id, excluded.max_message_id)
    returning id
  ), mentioned as (
    insert into mention (realm_id, user_id, message_id) select $1, user_id, id from drawn, unnest($9::bigint[]) as user_id
  )
  insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
    rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
  select $1, drawn.id, coalesce(in_topic.id, in_direct.id), $2, $2, case when $2::bigint is not null then $3::bigint end, $7, '', '',
    now(), 'test', false, $8, $10, false
  from drawn left join in_topic on true left join in_direct on true
  returning id`;

export async function storeSend(db: Database, sent: StoredSend): Promise<number> {
  const { realmId, channelId, version, topic, participantIds, senderId } = sent;
  const { isReadBySender, mentionedIds, isWildcard } = sent;
  const key = topicKey(topic);
  const values = [
    realmId,
    channelId,
    version,
    topic,
    key,
    participantIds,
    senderId,
    isReadBySender,
    mentionedIds,
    isWildcard,
  ];
  const [row] = await db.query<{ id: number }>(STORE, values);
  return (row as { id: number }).id;
}
