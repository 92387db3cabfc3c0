import type { Subjects } from './subjects';

/** Tables that the limits write to, like those of the service. */
export const LIMIT_TABLES = `
  drop table if exists bench_message, bench_topic, bench_watermark, bench_exception, bench_flag, bench_reaction;
  create table bench_message (like message including all);
  create table bench_topic (like topic including all);
  insert into bench_topic (realm_id, id, channel_id, name, name_key, max_message_id)
  select realm_id, id, channel_id, name, name_key, max_message_id from topic;
  create table bench_watermark (like read_watermark including all);
  create table bench_exception (like read_exception including all);
  create table bench_flag (like personal_flag including all);
  create table bench_reaction (like reaction including all);
  analyze bench_topic`;

export type Limits = ReturnType<typeof limitsOf>;

/** The lower bounds for any server: one statement each, its result passed on unchanged. */
export function limitsOf(subjects: Subjects) {
  return { ...limitsOfReading(subjects), ...limitsOfWriting(subjects), ...limitsOfMarking(subjects) };
}

function limitsOfReading({ realmId, reader, topic }: Subjects) {
  const inChannels = `m.channel_id = any('{${reader.channelIds.join()}}')`;
  return {
    /** A page of the messages that match a condition on `m`. */
    page: (condition: string, order = 'desc', count = 100) =>
      `select json_agg(row_to_json(x))::text from (
         select m.id, m.sender_id, m.channel_id, coalesce(m.topic_name, t.name) as topic, m.rendered_content, m.sent_at, m.client_name
         from message m left join topic t on t.realm_id = m.realm_id and t.id = m.conversation_id
         where m.realm_id = ${realmId} and ${condition} order by m.id ${order} limit ${count}) x`,
    inTopic: `m.conversation_id = ${topic.id}`,
    inChannel: `m.channel_id = ${topic.channelId}`,
    inChannels,
    isDirect: (otherId: number) => `m.conversation_id = (
      select conversation_id from message where realm_id = ${realmId} and sender_id = ${otherId} and channel_id is null
      order by id desc limit 1)`,
    unread: `${inChannels} and m.id > ${reader.readTo}`,
    withWord: (word: string) =>
      `${inChannels} and m.search_vector @@ (plainto_tsquery('english', '${word}') && 'organization\\:${realmId}')`,
    unreadByTopic: `select json_agg(row_to_json(x))::text from (
      select m.channel_id, m.conversation_id, array_agg(m.id) as ids from message m
      where m.realm_id = ${realmId} and ${inChannels} and m.id > ${reader.readTo}
      group by m.channel_id, m.conversation_id) x`,
    topics: `select json_agg(row_to_json(x))::text from (
      select name, max_message_id from topic where realm_id = ${realmId} and channel_id = ${topic.channelId}
      order by max_message_id desc) x`,
  };
}

function limitsOfWriting({ realmId, topic, ownMessageId, ownerId }: Subjects) {
  const insertOf = (id: number, run: number) =>
    `insert into bench_message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     values (${realmId}, ${id}, ${topic.id}, ${topic.channelId}, ${topic.channelId}, 1, ${ownerId}, 'Hello ${run}',
       '<p>Hello ${run}</p>', now(), 'bench', false, true, false, false)`;
  return {
    insert: (run: number) => `${insertOf(ownMessageId + run, run)} returning json_build_object('id', id)::text`,
    edit: (run: number) => `${insertOf(ownMessageId - 1, run)}
      on conflict (realm_id, id) do update set content = excluded.content, rendered_content = excluded.rendered_content
      returning '{}'`,
    rename: (run: number) =>
      `update bench_topic set name = 'run ${run}' where realm_id = ${realmId} and id = ${topic.id} returning '{}'`,
  };
}

function limitsOfMarking({ realmId, topic, ownMessageId, ownerId }: Subjects) {
  return {
    watermark: `insert into bench_watermark as w (realm_id, user_id, message_id) values (${realmId}, ${ownerId}, ${ownMessageId})
      on conflict (realm_id, user_id) do update set message_id = excluded.message_id returning '{}'`,
    /** Of the topic's first messages. */
    markPage: (count: number) => `insert into bench_exception as e (realm_id, user_id, conversation_id, read)
      select ${realmId}, ${ownerId}, ${topic.id}, range_agg(int8range(id, id + 1)) from (
        select id from message where realm_id = ${realmId} and conversation_id = ${topic.id} order by id limit ${count}) m
      on conflict (realm_id, user_id, conversation_id) do update set read = e.read + excluded.read returning '{}'`,
    star: (run: number) => `insert into bench_flag as f (realm_id, user_id, message_id, is_starred)
      values (${realmId}, ${ownerId}, ${ownMessageId}, ${run % 2 === 0})
      on conflict (realm_id, user_id, message_id) do update set is_starred = excluded.is_starred returning '{}'`,
  };
}
