import { composed, isInList, type Sql, statement } from '@parley/shared/db';
import { ascending } from '@parley/shared/values';
import { z } from 'zod';
import { isMovedTo } from '../access/moved.sql';
import type { Reader, UnreadReader } from '../access/permissions';
import { FEW_IDS } from '../narrows/conditions.sql';
import { countedChannelIds } from '../read-state/is-read';
import type { LeftChannel } from '../read-state/stays-read.sql';
import {
  beganUnread,
  countedChannels,
  hasBesideStretches,
  isUnreadMessage,
  receivedChannels,
  receivedOf,
  stretched,
  typedUnreadParameters,
  type UnreadBounds,
  type UnreadParameters,
  unreadBesideStretches,
  unreadMessages,
  unreadParameters,
  unreadStretches,
  unreadValues,
} from '../read-state/unread.sql';

/** The unread messages of a topic or direct conversation. */
const UNREAD_PLACE = {
  conversationId: z.number(),
  /** Null for direct messages. */
  channelId: z.number().nullable(),
  messageIds: z.array(z.number()),
};

/** `messageIds` are ascending. */
export type UnreadPlace = z.infer<z.ZodObject<typeof UNREAD_PLACE>>;

export interface UnreadQuery {
  /** Only in these channels, and no direct messages. */
  channelIds?: number[];
  conversationIds?: number[];
  /** Only these ids, both included. */
  fromId?: number;
  toId?: number;
  limit: number;
}

const FIND = {
  ofAll: findStatement({ fresh: true }),
  inChannels: findStatement({}),
  inConversations: findStatement({ isAmong: (id) => `${id} = any($11::bigint[])` }),
  inManyConversations: findStatement({ isAmong: (id) => isInList(id, '$11::bigint[]') }),
};

function findStatement(bounds: UnreadBounds) {
  return statement(
    `select conversation_id as "conversationId", channel_id as "channelId", array_agg(id) as "messageIds"
     from (
       select unread.id, unread.conversation_id, unread.channel_id
       from (${unreadMessages(unreadParameters(1), { ...bounds, fromId: '$8', toId: '$9' })}) as unread
       where not $10::boolean or unread.channel_id is not null limit $7
     ) as unread
     group by conversation_id, channel_id`,
    UNREAD_PLACE,
  );
}

/** Unread messages of the reader; beyond the limit an arbitrary part of them. */
export async function findUnread(sql: Sql, reader: Reader, query: UnreadQuery): Promise<UnreadPlace[]> {
  const { channelIds, conversationIds, limit, fromId = 0, toId = Number.MAX_SAFE_INTEGER } = query;
  const values = [...unreadValues(reader, channelIds), limit, fromId, toId, channelIds !== undefined];
  const places = await (conversationIds
    ? sql.query(conversationIds.length <= FEW_IDS ? FIND.inConversations : FIND.inManyConversations, [
        ...values,
        conversationIds,
      ])
    : sql.query(channelIds ? FIND.inChannels : FIND.ofAll, values));
  // Mostly they are in order already; PostgreSQL would sort all messages to find that.
  for (const { messageIds } of places) messageIds.sort((a, b) => a - b);
  return places;
}

/** The ids of unread messages, ascending. */
export function idsOf(places: readonly UnreadPlace[]): number[] {
  return ascending(places.flatMap(({ messageIds }) => messageIds));
}

// Planned for each reader, like the statement for left channels below: readers differ widely.
const FIND_OF = composed(
  `select unread.id from (${unreadMessages(unreadParameters(1))}) as unread
  where unread.sender_id = $7 order by unread.id desc limit $8`,
  { id: z.number() },
);

/** The newest unread messages from one user, at most `limit`. */
export async function findUnreadOf(sql: Sql, reader: Reader, senderId: number, limit: number): Promise<number[]> {
  const rows = await sql.query(FIND_OF, [...unreadValues(reader), senderId, limit]);
  return rows.map(({ id }) => id);
}

const FIND_NEWEST_ID = statement('select id from message where realm_id = $1 order by id desc limit 1', {
  id: z.number(),
});

/** Null without messages. */
export async function findNewestId(sql: Sql, realmId: number): Promise<number | null> {
  const [row] = await sql.query(FIND_NEWEST_ID, [realmId]);
  return row?.id ?? null;
}

/** SQL: the subscription version of leaving a channel; null for others. */
const leftAt = (channelId: string) => `($8::bigint[])[array_position($7::bigint[], ${channelId})]`;
const cameBefore = (channelId: string, version: string) =>
  `(${leftAt(channelId)} is null or ${version} < ${leftAt(channelId)})`;

/** Messages sent or moved to the channels, or moved from them, below those subscription versions. */
const CAME_BEFORE = `${cameBefore('m.sent_channel_id', 'm.sent_version')}
    and (m.channel_id = m.sent_channel_id or ${cameBefore('m.channel_id', 'm.moved_version')})`;

const [FORMER, NOW] = [typedUnreadParameters(1), typedUnreadParameters(10)];

const FIND_READ_BY_LEAVING = composed(
  `select unread.id from (${unreadMessages(FORMER, { isInPlace: 'm.channel_id = any($7::bigint[])' })}) unread
    cross join lateral (select * from message where realm_id = $1 and id = unread.id limit 1) m
  where ${CAME_BEFORE} limit $9`,
  { id: z.number() },
);

// Messages sent to the channels that are in others now are found by their moves.
const FIND_READ_ELSEWHERE = composed(
  `select m.id from message m
  where m.realm_id = $1 and m.channel_id = any($5::bigint[]) and ${isMovedTo('m')}
    and m.sent_channel_id = any($7::bigint[]) and m.channel_id <> all($7::bigint[])
    and ${CAME_BEFORE} and ${isUnreadMessage(FORMER)} and (${isUnreadMessage(NOW)}) is not true limit $9`,
  { id: z.number() },
);

/** Messages that became read because the reader left the channels; ascending, at most `limit` there and elsewhere. */
export async function findReadByLeaving(
  sql: Sql,
  former: UnreadReader,
  now: UnreadReader,
  left: readonly LeftChannel[],
  limit: number,
): Promise<number[]> {
  const versions = new Map(left.map(({ channelId, version }) => [channelId, version]));
  const leaving = [[...versions.keys()], [...versions.values()], limit];
  const counted = countedChannelIds(former).filter((id) => versions.has(id));
  const there = await sql.query(FIND_READ_BY_LEAVING, [...unreadValues(former, counted), ...leaving]);
  const values = [...unreadValues(former), ...leaving, ...unreadValues(now)];
  const elsewhere = await sql.query(FIND_READ_ELSEWHERE, values);
  return ascending([...there, ...elsewhere].map(({ id }) => id));
}

/** After this number of messages, each conversation is searched for its first one. */
export const WALKED_MESSAGES = 1_000;
/** At least this number of messages of each channel. */
export const FEWEST_READ = 8;

/** A query for the `id` of the reader's oldest unread message, null if there is none. Every conversation is searched by its index. */
export function firstUnread(p: UnreadParameters, places: Omit<UnreadBounds, 'nearest'>): string {
  const bounds = { ...places, nearest: { order: 'asc', limit: '1' } } as const;
  return `with ${unreadStretches(p, bounds)}
    select min(id) as id from (
      select id from (${stretched(p, bounds)}) as in_places
      union all
      select id from (${unreadBesideStretches(p, bounds)}) as beside
    ) as first`;
}

/**
 * The same for all channels and conversations, by reading all messages from the reader's watermark on, and then from where they joined: the first
 * unread message is mostly a few steps away. `isGivenUp` if WALKED_MESSAGES others come first; `hasBeside` if there may be unread messages that are
 * not found so, see firstUnreadBeside().
 */
export function firstUnreadByWalk(p: UnreadParameters, isInChannel: string, isInPlace: string): string {
  return `with ${countedChannels(p)}, ${walk(p, isInChannel, isInPlace)}, walked as materialized (
      select coalesce((select id from near), (select id from far)) as id
    )
    select id, id is null and exists (${nextOfAll(p, 'id >= (select from_id from way)')} offset ${WALKED_MESSAGES}) as "isGivenUp",
      ${hasBesideStretches(p)} as "hasBeside" from walked`;
}

interface FewChannels {
  /** A condition on `c.channel_id`. */
  isInChannel: string;
  /** A condition on channels and topics. */
  isInPlace: string;
  hasDirect: boolean;
  /** The number of messages of each channel to read; of direct conversations, which may be many, FEWEST_READ. */
  most: string;
}

/**
 * The same for few channels, and for direct conversations if `hasDirect`, by reading the first messages of each from the reader's marks on, at
 * most `most` of each: whatever is sent to other channels meanwhile. `isGivenUp` if that does not tell which one is first.
 */
export function firstUnreadByChannels(p: UnreadParameters, few: FewChannels): string {
  const { isInChannel, isInPlace, hasDirect, most } = few;
  const next = (where: string) => nextOfAll(p, where, READING_COLUMNS);
  const read = (from: string, where: string, isMeant: string, limit: string) => `
      select first.id, case when first.id is null then (select id from (${next(where)} offset ${limit} limit 1) unknown) end as unknown_id
      from ${from} left join lateral (
        select m.id from (${next(where)} limit ${limit}) m where ${isUnreadHere(p, isMeant)} order by m.id limit 1
      ) first on true`;
  const channels = `${read('begun c', IN_BEGUN, isInPlace, most)} where ${isInChannel}`;
  const direct = `${read('direct_conversation d cross join read_to w', 'conversation_id = d.id and id > w.id', 'true', String(FEWEST_READ))}
      where ${isOfReader(p)} and d.max_message_id > w.id`;
  return `with ${countedChannels(p)}, begun as materialized (${receivedOf(p, 'counted')}), place as materialized (
      ${hasDirect ? `${channels} union all ${direct}` : channels}
    )
    select min(id) as id, coalesce(min(unknown_id) < coalesce(min(id), ${Number.MAX_SAFE_INTEGER}), false) as "isGivenUp",
      ${hasBesideStretches(p)} as "hasBeside" from place`;
}

// NOTE: were the condition on `sent_channel_id` an equality, the planner would read all messages of the versions and sort them.
const IN_BEGUN = `channel_id = c.channel_id and id >= c.from_id
          and sent_channel_id is not distinct from c.channel_id and sent_version >= c.from_version`;

const READING_COLUMNS =
  'id, conversation_id, channel_id, sender_id, sent_channel_id, sent_version, is_read_by_sender, read_by_ids';

/** Messages of the organization, the oldest first. */
function nextOfAll({ realmId }: UnreadParameters, where: string, columns = ''): string {
  return `select ${columns} from message where realm_id = ${realmId} and ${where} order by id`;
}

/** Whether a received message `m` after the watermarks is unread. */
function isUnreadHere(p: UnreadParameters, isInPlace: string): string {
  // A scalar query is a look by the key for each message; of a join the planner reads all marks of the reader, for each message.
  return `${beganUnread(p)} and ${isInPlace} and (
        select e.read @> m.id or e.unread @> m.id from read_exception e
        where e.realm_id = ${p.realmId} and e.user_id = ${p.readerId} and e.conversation_id = m.conversation_id) is not true`;
}

/** Tables: `near` and `far`, with the first unread message found from the watermark on, and from `way` on, where the reader joined. */
function walk(p: UnreadParameters, isInChannel: string, isInPlace: string): string {
  const heardOf = (column: string) => `(select ${column} from heard)`;
  const first = (where: string) => `select m.id
      from (${nextOfAll(p, where, READING_COLUMNS)} limit ${WALKED_MESSAGES}) m
      cross join lateral (select array_position(${heardOf('channel_ids')}, m.channel_id) as nth offset 0) known
      where case when m.channel_id is null then m.id > (select id from read_to) and m.conversation_id in (
          select d.id from direct_conversation d where ${isOfReader(p)})
        else m.channel_id = m.sent_channel_id and m.sent_version >= ${heardOf('versions')}[known.nth] and m.id > ${heardOf('read_to')}[known.nth] end
        and ${isUnreadHere(p, isInPlace)}
      order by m.id limit 1`;
  const afterWatermark = 'id > (select id from read_to)';
  return `heard as materialized (
      select array_agg(c.channel_id) as channel_ids, array_agg(c.from_version) as versions, array_agg(c.read_to) as read_to
      from counted c where ${isInChannel}
    ), near as materialized (${first(afterWatermark)}
    ), ${receivedChannels(p)}, way as materialized (
      select greatest(joined.id, rest.id) as from_id
      from (select (${nextOfAll(p, afterWatermark, 'id')} offset ${WALKED_MESSAGES} limit 1) as id offset 0) rest
      cross join lateral (select case when rest.id is not null then least(
        (select min(c.from_id) from received c where ${isInChannel}), (${firstDirect(p)})) end as id offset 0) joined
      where joined.id is not null
    ), far as materialized (${first('id >= (select from_id from way)')}
    )`;
}

/** A query for the first direct message to the reader after the watermark; null without any. */
function firstDirect(p: UnreadParameters): string {
  return `select min(first.id) from direct_conversation d cross join read_to w cross join lateral (
        ${nextOfAll(p, 'conversation_id = d.id and id > w.id', 'id')} limit 1
      ) first where ${isOfReader(p)} and d.max_message_id > w.id`;
}

function isOfReader({ realmId, readerId }: UnreadParameters): string {
  return `d.realm_id = ${realmId} and d.participant_ids @> array[${readerId}]`;
}

/** A query for the `id` of the oldest one of the few unread messages that only marks or moves lead to; null without any. */
export function firstUnreadBeside(p: UnreadParameters, places: Omit<UnreadBounds, 'nearest'>): string {
  const bounds = { ...places, nearest: { order: 'asc', limit: '1' } } as const;
  return `with ${countedChannels(p)} select min(id) as id from (${unreadBesideStretches(p, bounds)}) as beside`;
}

/** A topic, or a direct conversation. */
const CONVERSATION_ROW = {
  id: z.number(),
  channelId: z.number().nullable(),
  topic: z.string().nullable(),
  /** Ascending. */
  participantIds: z.array(z.number()).nullable(),
};

export type ConversationRow = z.infer<z.ZodObject<typeof CONVERSATION_ROW>>;

const LOAD_CONVERSATIONS = statement(
  `select t.id, t.channel_id as "channelId", coalesce(m.topic_name, t.name) as topic, null::bigint[] as "participantIds"
   from unnest($2::bigint[], $3::bigint[]) as place (id, newest_id)
   join topic t on t.realm_id = $1 and t.id = place.id
   left join message m on m.realm_id = $1 and m.id = place.newest_id
   union all
   select d.id, null, null, d.participant_ids
   from unnest($4::bigint[]) as direct (id) cross join lateral (
     select id, participant_ids from direct_conversation where realm_id = $1 and id = direct.id offset 0
   ) d
   order by "participantIds"`,
  CONVERSATION_ROW,
);

/**
 * Topics and direct conversations; the latter sorted by participants. A topic's name is the one in the newest of the given
 * messages, which may have its own casing.
 */
export async function loadConversations(
  sql: Sql,
  realmId: number,
  places: readonly UnreadPlace[],
): Promise<ConversationRow[]> {
  if (places.length === 0) return [];
  const topics = places.filter(({ channelId }) => channelId !== null);
  const directs = places.filter(({ channelId }) => channelId === null);
  return sql.query(LOAD_CONVERSATIONS, [
    realmId,
    topics.map(({ conversationId }) => conversationId),
    topics.map(({ messageIds }) => messageIds.at(-1)),
    directs.map(({ conversationId }) => conversationId),
  ]);
}
