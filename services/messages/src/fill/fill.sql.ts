import { composed, onlyRow, type Sql, statement, type Transaction } from '@parley/shared/db';
import { directConversationBegun } from '@parley/shared/events';
import { topicKey } from '@parley/shared/values';
import { z } from 'zod';
import type { PlannedTopic } from './plan-conversations';
import type { PlannedMark, PlannedMessage, PlannedReader } from './plan-messages';

const END_TIME_LIMIT = statement('set local statement_timeout = 0');

/** Until the transaction ends: among ten million messages some statements take minutes. */
export async function endTimeLimit(tx: Transaction): Promise<void> {
  await tx.query(END_TIME_LIMIT);
}

/** Messages from before the fill. */
const PAST = {
  lastMessageId: z.number(),
  lastSentAtMs: z.number(),
};

export type Past = z.infer<z.ZodObject<typeof PAST>>;

const FIND_PAST = statement(
  `select id as "lastMessageId", sent_at as "lastSentAtMs" from message where realm_id = $1 order by id desc limit 1`,
  PAST,
);

/** Null: none. */
export async function findPast(sql: Sql, realmId: number): Promise<Past | null> {
  const [row] = await sql.query(FIND_PAST, [realmId]);
  return row ?? null;
}

const LIST_LAST_VERSIONS = statement(
  `select sent_channel_id as "channelId", max(sent_version) as version from message
   where realm_id = $1 and sent_channel_id is not null group by sent_channel_id`,
  { channelId: z.number(), version: z.number() },
);

/** The latest subscription version used by each channel's messages, for channels with messages. */
export async function listLastVersions(sql: Sql, realmId: number): Promise<Map<number, number>> {
  const rows = await sql.query(LIST_LAST_VERSIONS, [realmId]);
  return new Map(rows.map(({ channelId, version }) => [channelId, version]));
}

// Planned for each batch: the best plan depends on the number of rows.
const INSERT_TOPICS = composed(
  `with wanted as (
     select channel_id, name, name_key, n
     from unnest($2::bigint[], $3::text[], $4::text[]) with ordinality as w (channel_id, name, name_key, n)
   ), made as (
     insert into topic as t (realm_id, channel_id, name, name_key, max_message_id)
     select $1, channel_id, name, name_key, 0 from wanted order by channel_id, name_key
     on conflict (realm_id, channel_id, name_key) do update set max_message_id = t.max_message_id
     returning t.id, t.channel_id, t.name_key
   )
   select m.id from wanted w join made m on m.channel_id = w.channel_id and m.name_key = w.name_key order by w.n`,
  { id: z.number() },
);

/** Creates missing topics, without messages, and returns the ids of all, in order. */
export async function insertTopics(sql: Sql, realmId: number, topics: readonly PlannedTopic[]): Promise<number[]> {
  const rows = await sql.query(INSERT_TOPICS, [
    realmId,
    topics.map(({ channelId }) => channelId),
    topics.map(({ name }) => name),
    topics.map(({ name }) => topicKey(name)),
  ]);
  return rows.map(({ id }) => id);
}

const INSERT_DIRECTS = composed(
  `with wanted as (
     select w.ids::bigint[] as participant_ids, n from unnest($2::text[]) with ordinality as w (ids, n)
   ), made as (
     insert into direct_conversation as d (realm_id, participant_ids, max_message_id)
     select $1, participant_ids, 0 from wanted order by participant_ids
     on conflict (realm_id, participant_ids) do update set max_message_id = d.max_message_id
     returning d.id, d.participant_ids
   )
   select m.id from wanted w join made m on m.participant_ids = w.participant_ids order by w.n`,
  { id: z.number() },
);

/** As insertTopics(). */
export async function insertDirects(
  sql: Sql,
  realmId: number,
  conversations: readonly (readonly number[])[],
): Promise<number[]> {
  const rows = await sql.query(INSERT_DIRECTS, [realmId, conversations.map((ids) => `{${ids.join(',')}}`)]);
  return rows.map(({ id }) => id);
}

/** The statement's input, one array per column: its type, and its value for a message. */
const INPUT: Record<string, [type: string, cellOf: (message: PlannedMessage) => unknown]> = {
  conversation_id: ['bigint', ({ conversationId }) => conversationId],
  channel_id: ['bigint', ({ channelId }) => channelId],
  sent_version: ['bigint', ({ sentVersion }) => sentVersion],
  sender_id: ['bigint', ({ senderId }) => senderId],
  content: ['text', ({ content }) => content],
  rendered_content: ['text', ({ html }) => html],
  client_name: ['text', ({ clientName }) => clientName],
  mentions_channel: ['boolean', ({ mentionsChannel }) => mentionsChannel],
  mentioned_id: ['bigint', ({ mentionedId }) => mentionedId],
};

const columns = Object.keys(INPUT).join(', ');
const parameters = Object.values(INPUT).map(([type], index) => `$${index + 4}::${type}[]`);

const STORE = statement(`with input as (
     select nextval('message_id') as id, to_timestamp(($2::float8 + $3::float8 * n) / 1000.0) as sent_at, ${columns}
     from unnest(${parameters.join(', ')}) with ordinality as i (${columns}, n)
   ), stored as (
     insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     select $1, id, conversation_id, channel_id, channel_id, sent_version, sender_id, content, rendered_content, sent_at,
       client_name, false, true, mentions_channel, false
     from input
   )
   insert into mention (realm_id, user_id, message_id)
   select $1, mentioned_id, id from input where mentioned_id is not null`);

/** Stores messages at even intervals after `sinceMs`, and their mentions. */
export async function insertFilledMessages(
  sql: Sql,
  realmId: number,
  { sinceMs, stepMs }: { sinceMs: number; stepMs: number },
  messages: readonly PlannedMessage[],
): Promise<void> {
  const cells = Object.values(INPUT).map(([, cellOf]) => messages.map(cellOf));
  await sql.query(STORE, [realmId, sinceMs, stepMs, ...cells]);
}

const LATEST = `(
  select conversation_id, max(id) as id from message where realm_id = $1 and id > $2 group by conversation_id
) latest`;

const UPDATE_LATEST_OF_TOPICS = statement(
  `with updated as (
     update topic t set max_message_id = latest.id from ${LATEST}
     where t.realm_id = $1 and t.id = latest.conversation_id returning t.id
   ) select count(*) as count from updated`,
  { count: z.number() },
);

/** Updates the latest message of topics with messages after `lastMessageId`, and returns their number. */
export async function updateLatestOfTopics(sql: Sql, realmId: number, lastMessageId: number): Promise<number> {
  return onlyRow(await sql.query(UPDATE_LATEST_OF_TOPICS, [realmId, lastMessageId])).count;
}

const UPDATE_LATEST_OF_DIRECTS = statement(
  `with written as (
     select d.id, d.participant_ids, d.max_message_id = 0 as is_new, latest.id as latest_id
     from direct_conversation d join ${LATEST} on latest.conversation_id = d.id where d.realm_id = $1
   ), updated as (
     update direct_conversation d set max_message_id = w.latest_id from written w where d.realm_id = $1 and d.id = w.id
   ), begun as (
     insert into outbox (realm_id, kind, payload)
     select $1, '${directConversationBegun.kind}', json_build_object('participantIds', participant_ids)
     from written where is_new order by id
   ) select count(*) as count from written`,
  { count: z.number() },
);

/** As updateLatestOfTopics(); announces the beginning of conversations that had no messages before. */
export async function updateLatestOfDirects(sql: Sql, realmId: number, lastMessageId: number): Promise<number> {
  return onlyRow(await sql.query(UPDATE_LATEST_OF_DIRECTS, [realmId, lastMessageId])).count;
}

const DELETE_UNWRITTEN = statement(`with topics as (delete from topic where realm_id = $1 and max_message_id = 0)
   delete from direct_conversation where realm_id = $1 and max_message_id = 0`);

/** Deletes conversations without messages. */
export async function deleteUnwritten(sql: Sql, realmId: number): Promise<void> {
  await sql.query(DELETE_UNWRITTEN, [realmId]);
}

const ANALYZE_FILLED = statement(
  'analyze message, mention, topic, direct_conversation, read_watermark, read_exception, personal_flag',
);

/** Updates the planner's statistics for the next statements. */
export async function analyzeFilled(sql: Sql): Promise<void> {
  await sql.query(ANALYZE_FILLED);
}

const INSERT_READERS = statement(`insert into read_watermark as w (realm_id, user_id, message_id)
   select $1, reader.user_id, greatest(latest.id - reader.behind, 0)
   from unnest($2::bigint[], $3::bigint[]) as reader (user_id, behind)
   cross join (select id from message where realm_id = $1 order by id desc limit 1) latest
   on conflict (realm_id, user_id) do update set message_id = greatest(w.message_id, excluded.message_id)`);

/** Moves users' watermarks forward, never back. */
export async function insertReaders(sql: Sql, realmId: number, readers: readonly PlannedReader[]): Promise<void> {
  await sql.query(INSERT_READERS, [realmId, readers.map(({ userId }) => userId), readers.map(({ behind }) => behind)]);
}

/** The latest received messages of topics, where the user has not written them. */
const MARKED = `marked as (
    select mark.user_id, m.conversation_id, m.id
    from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as mark (user_id, topic_id, from_version)
    join topic t on t.realm_id = $1 and t.id = mark.topic_id
    join message m on m.realm_id = $1 and m.id = t.max_message_id
    where m.sent_version >= mark.from_version and m.sender_id <> mark.user_id
  )`;

function markValues(realmId: number, marks: readonly PlannedMark[]): unknown[] {
  return [
    realmId,
    marks.map(({ userId }) => userId),
    marks.map(({ topicId }) => topicId),
    marks.map(({ fromVersion }) => fromVersion),
  ];
}

const INSERT_EXCEPTIONS = statement(`with ${MARKED}, with_watermark as (
     select m.user_id, m.conversation_id, int8multirange(int8range(m.id, m.id + 1)) as ids,
       m.id <= coalesce(w.message_id, 0) as is_passed
     from marked m left join read_watermark w on w.realm_id = $1 and w.user_id = m.user_id
   )
   insert into read_exception (realm_id, user_id, conversation_id, read, unread)
   select $1, user_id, conversation_id, case when is_passed then '{}' else ids end, case when is_passed then ids else '{}' end
   from with_watermark
   on conflict do nothing`);

/** Marks that differ from the watermarks. */
export async function insertExceptions(sql: Sql, realmId: number, marks: readonly PlannedMark[]): Promise<void> {
  await sql.query(INSERT_EXCEPTIONS, markValues(realmId, marks));
}

const INSERT_STARS = statement(`with ${MARKED}
   insert into personal_flag (realm_id, user_id, message_id, is_starred)
   select $1, user_id, id, true from marked
   on conflict do nothing`);

export async function insertStars(sql: Sql, realmId: number, marks: readonly PlannedMark[]): Promise<void> {
  await sql.query(INSERT_STARS, markValues(realmId, marks));
}
