import { composed, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import type { Reader } from '../access/permissions';
import { mentionsInTopic } from '../messages/message.sql';
import { isAddressed } from '../narrows/conditions.sql';
import { countedChannelIds } from '../read-state/is-read';
import {
  beganUnread,
  countedChannels,
  hasBesideStretches,
  isUnreadMessage,
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
  /** Ascending. */
  messageIds: z.array(z.number()),
};

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

const [FIND, FIND_IN] = [findStatement({}), findStatement({ conversationIds: '$11::bigint[]' })];

function findStatement(bounds: UnreadBounds) {
  return statement(
    `select conversation_id as "conversationId", channel_id as "channelId", array_agg(id order by id) as "messageIds"
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
export function findUnread(sql: Sql, reader: Reader, query: UnreadQuery): Promise<UnreadPlace[]> {
  const { channelIds, conversationIds, limit, fromId = 0, toId = Number.MAX_SAFE_INTEGER } = query;
  const values = [...unreadValues(reader, channelIds), limit, fromId, toId, channelIds !== undefined];
  return conversationIds ? sql.query(FIND_IN, [...values, conversationIds]) : sql.query(FIND, values);
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

/** Messages sent or moved to the channel, or moved from it, below that subscription version. */
const CAME_BEFORE = `(m.sent_channel_id <> $7 or m.sent_version < $8)
    and (m.channel_id <> $7 or m.channel_id = m.sent_channel_id or m.moved_version < $8)`;

const [FORMER, NOW] = [typedUnreadParameters(1), typedUnreadParameters(10)];

const FIND_READ_BY_LEAVING = composed(
  `select unread.id from (${unreadMessages(FORMER, { isInPlace: 'm.channel_id = $7' })}) unread
    join message m on m.realm_id = $1 and m.id = unread.id
  where ${CAME_BEFORE} limit $9`,
  { id: z.number() },
);

// Messages sent to the channel that are in others now are found by their moves.
const FIND_READ_ELSEWHERE = composed(
  `select m.id from message m
  where m.realm_id = $1 and m.channel_id = any($5::bigint[]) and m.sent_channel_id <> m.channel_id and m.sent_channel_id = $7
    and ${CAME_BEFORE} and ${isUnreadMessage(FORMER)} and (${isUnreadMessage(NOW)}) is not true limit $9`,
  { id: z.number() },
);

/** A channel that the reader left, and the subscription version of leaving. */
interface LeftChannel {
  channelId: number;
  version: number;
}

/** Messages that became read because the reader left the channel; ascending, at most `limit`. */
export async function findReadByLeaving(
  sql: Sql,
  former: Reader,
  now: Reader,
  { channelId, version }: LeftChannel,
  limit: number,
): Promise<number[]> {
  const left = [channelId, version, limit];
  const counted = countedChannelIds(former).filter((id) => id === channelId);
  const there = await sql.query(FIND_READ_BY_LEAVING, [...unreadValues(former, counted), ...left]);
  const values = [...unreadValues(former), ...left, ...unreadValues(now)];
  const elsewhere = await sql.query(FIND_READ_ELSEWHERE, values);
  return [...there, ...elsewhere].map(({ id }) => id).sort((a, b) => a - b);
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
 * The same for all channels and conversations, by reading all messages from the reader's marks on, or from where they joined: the first unread
 * message is mostly a few steps away. `isGivenUp` if WALKED_MESSAGES others come first; `hasBeside` if there may be unread messages that are
 * not found so, see firstUnreadBeside(). `isInChannel` is a condition on `c.channel_id` for channels that may contain a match.
 */
export function firstUnreadByWalk(p: UnreadParameters, isInChannel: string, isInPlace: string): string {
  return `with ${countedChannels(p)}, ${walk(p, isInChannel, isInPlace)}
    select (select id from walked) as id,
      (select id from walked) is null and exists (
        select from message where realm_id = ${p.realmId} and id >= (select from_id from way) offset ${WALKED_MESSAGES}) as "isGivenUp",
      ${hasBesideStretches(p)} as "hasBeside"`;
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
export function firstUnreadByChannels(
  p: UnreadParameters,
  { isInChannel, isInPlace, hasDirect, most }: FewChannels,
): string {
  const next = (
    where: string,
  ) => `select id, conversation_id, channel_id, sender_id, sent_channel_id, sent_version, is_read_by_sender, read_by_ids
        from message where realm_id = ${p.realmId} and ${where} order by id`;
  const firstIn = (where: string, limit: string) => `
        select m.id from (${next(where)} limit ${limit}) m
        where ${beganUnread(p)} and ${isInPlace} and not exists (
          select from read_exception e
          where e.realm_id = ${p.realmId} and e.user_id = ${p.readerId} and e.conversation_id = m.conversation_id
            and (e.read @> m.id or e.unread @> m.id))
        order by m.id limit 1`;
  const read = (from: string, where: string, limit: string) => `
      select first.id, case when first.id is null then (select id from (${next(where)} offset ${limit} limit 1) unknown) end as unknown_id
      from ${from} left join lateral (${firstIn(where, limit)}) first on true`;
  const channels = `${read(
    'counted c',
    // Many may have been sent just before the reader joined.
    `channel_id = c.channel_id and id > c.read_to and id >= c.received_from
          and sent_channel_id = c.channel_id and sent_version >= c.from_version`,
    most,
  )} where c.received_from is not null and ${isInChannel}`;
  const direct = `${read('direct_conversation d cross join read_to w', 'conversation_id = d.id and id > w.id', String(FEWEST_READ))}
      where d.realm_id = ${p.realmId} and d.participant_ids @> array[${p.readerId}] and d.max_message_id > w.id`;
  return `with ${countedChannels(p)}, place as materialized (${hasDirect ? `${channels} union all ${direct}` : channels})
    select min(id) as id, coalesce(min(unknown_id) < coalesce(min(id), ${Number.MAX_SAFE_INTEGER}), false) as "isGivenUp",
      ${hasBesideStretches(p)} as "hasBeside" from place`;
}

/** A query for the `id` of the oldest one of the few unread messages that only marks or moves lead to; null without any. */
export function firstUnreadBeside(p: UnreadParameters, places: Omit<UnreadBounds, 'nearest'>): string {
  const bounds = { ...places, nearest: { order: 'asc', limit: '1' } } as const;
  return `with ${countedChannels(p)} select min(id) as id from (${unreadBesideStretches(p, bounds)}) as beside`;
}

/** Tables: `way`, with the channels and the id where the walk begins, and `walked`, with the first unread message found. */
function walk(p: UnreadParameters, isInChannel: string, isInPlace: string): string {
  const ofReader = `d.realm_id = ${p.realmId} and d.participant_ids @> array[${p.readerId}]`;
  const nthOf = (column: string) =>
    `(select ${column} from way)[array_position((select channel_ids from way), m.channel_id)]`;
  return `way as materialized (
      select array_agg(c.channel_id) as channel_ids, array_agg(c.from_version) as versions, array_agg(c.from_id) as from_ids,
        least(min(c.from_id), (
          select min(first.id) from direct_conversation d cross join read_to w cross join lateral (
            select m.id from message m where m.realm_id = ${p.realmId} and m.conversation_id = d.id and m.id > w.id order by m.id limit 1
          ) first where ${ofReader} and d.max_message_id > w.id
        )) as from_id
      from (
        select c.channel_id, c.from_version, greatest(c.read_to + 1, c.received_from) as from_id
        from counted c where c.received_from is not null and ${isInChannel}
      ) c
    ), walked as materialized (
      select m.id from (
        select id, conversation_id, channel_id, sender_id, sent_channel_id, sent_version, is_read_by_sender, read_by_ids from message
        where realm_id = ${p.realmId} and id >= (select from_id from way) order by id limit ${WALKED_MESSAGES}
      ) m
      where case when m.channel_id is null then m.id > (select id from read_to) and m.conversation_id in (
          select d.id from direct_conversation d where ${ofReader})
        else m.channel_id = m.sent_channel_id and m.sent_version >= ${nthOf('versions')} and m.id >= ${nthOf('from_ids')} end
        and ${beganUnread(p)} and ${isInPlace}
        and not exists (
          select from read_exception e
          where e.realm_id = ${p.realmId} and e.user_id = ${p.readerId} and e.conversation_id = m.conversation_id
            and (e.read @> m.id or e.unread @> m.id))
      order by m.id limit 1
    )`;
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
   select id, null, null, participant_ids from direct_conversation where realm_id = $1 and id = any($2::bigint[])
   order by "participantIds"`,
  CONVERSATION_ROW,
);

/**
 * Topics and direct conversations; the latter sorted by participants. A topic's name is the one in the newest of the given
 * messages, which may have its own casing.
 */
export function loadConversations(
  sql: Sql,
  realmId: number,
  places: readonly UnreadPlace[],
): Promise<ConversationRow[]> {
  return sql.query(LOAD_CONVERSATIONS, [
    realmId,
    places.map(({ conversationId }) => conversationId),
    places.map(({ messageIds }) => messageIds.at(-1)),
  ]);
}

interface Mentions {
  /** By name or as members of a group. */
  personal: ReadonlySet<number>;
  wildcard: ReadonlySet<number>;
}

/** The messages that mention a user, from the oldest of the given ones on; mentions are few. */
export async function findMentions(sql: Sql, reader: Reader, messageIds: readonly number[]): Promise<Mentions> {
  if (messageIds.length === 0) return { personal: new Set(), wildcard: new Set() };
  const { realm, userId } = reader;
  const values: unknown[] = [realm.id, userId, messageIds.reduce((a, b) => Math.min(a, b))];
  const isForReader = isAddressed(reader)((value, type) => `$${values.push(value)}::${type}`);
  const rows = await sql.query(
    composed(
      `select m.id, true as "isPersonal" from mention n join message m on m.realm_id = n.realm_id and m.id = n.message_id
     where n.realm_id = $1 and n.user_id = $2 and n.message_id >= $3 and ${isForReader}
     union all
     select m.id, false from message m
     where m.realm_id = $1 and (m.mentions_channel or m.mentions_topic) and (m.mentions_channel or ${mentionsInTopic('$2')})
       and m.id >= $3 and ${isForReader}`,
      { id: z.number(), isPersonal: z.boolean() },
    ),
    values,
  );
  const idsOf = (isPersonal: boolean) =>
    new Set(rows.filter((row) => row.isPersonal === isPersonal).map(({ id }) => id));
  return { personal: idsOf(true), wildcard: idsOf(false) };
}
