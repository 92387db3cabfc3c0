import { isMovedFrom, isMovedTo } from '../access/moved.sql';
import { firstGiven } from '../read-state/first-history.sql';
import { receivedFrom, receivedRoughlyFrom } from '../read-state/unread.sql';
import type { Query, Side } from './search-query.sql';

/** Channels and conversations to read one by one, along their indexes. */
export interface Sources {
  channelIds: readonly number[];
  /** For searches in what the reader has received. */
  receivedSince?: ReceivedSince;
  conversationIds: readonly number[];
  /** Also all direct conversations of the reader. */
  hasDirects: boolean;
  /** Channels with messages that were moved elsewhere since, for their receivers. */
  formerChannelIds: readonly number[];
  /** Includes messages with flags of the reader that they did not receive. */
  hasHistorical: boolean;
}

/** Subscription versions for each channel, or null. */
export interface ReceivedSince {
  /** The reader received nothing sent to the channel before, except for the history given on joining. */
  first: readonly number[];
  /** The reader received everything sent to the channel since. */
  last: readonly (number | null)[];
  /** The same as the first one, for channels without such a history, whose subscribers receive what is moved there. */
  never: readonly (number | null)[];
}

/** The columns and conditions of each source, as SQL on `m`. */
export interface SourceQuery {
  /** `m.id` first. A function gets SQL for whether the reader has received the message, null where that is not plain. */
  columns: string | ((isReceived: string) => string);
  /** Conditions on the id, for the index. */
  isInRange: string;
  /** The range's ends, where known: conversations without later messages, and channels that the reader joined later, are not looked into. */
  fromId?: string;
  toId?: string;
  where: string;
  /** Whether a message is meant, where it is not plain that the reader has received it. Absent: all are read, and the columns say which ones are meant. */
  scope?: string;
  /** The end of each source's query. */
  bound: string;
  /** The statement has the tables of sourceTables(), and does not mind a message that comes from more than one source. */
  hasTables?: boolean;
  /** A condition under which the range has so few ids that those below where the reader joined are read as well. */
  isShort?: string | undefined;
}

const UNKNOWN = 'null::boolean';
/** Of a message that is in the channel `s` now; `given` is the first one of the history that the reader got on joining, null without any. */
const isReceivedIn = (
  given: string,
) => `case when m.sent_channel_id <> s.id then ${UNKNOWN} when m.sent_version >= s.last then true
            when m.sent_version < s.never or m.sent_version < s.first and (m.id < ${given}) is not false then false end`;

/** A query for those columns of messages in the sources, each message once unless `hasTables`. Every source is read along its index. */
export function partsOf(query: Query, sources: Sources, reading: SourceQuery): string {
  const { columns: chosen, isInRange, fromId, where, scope, bound, hasTables = false } = reading;
  const columns = (isReceived: string) => (typeof chosen === 'string' ? chosen : chosen(isReceived));
  // What was not received, but has a flag of the reader, is in the last source as well, where it is not plain.
  const conditions = (isReceived: string) =>
    `${scope === undefined ? 'true' : `coalesce(${isReceived}, ${scope})`} and ${where}`;
  const part = (places: string, key: string, more = '', isReceived = UNKNOWN) =>
    `select found.* from ${places} cross join lateral (
       select ${columns(isReceived)} from message m
       where m.realm_id = $1 and m.${key} = s.id and ${isInRange} ${more} and ${conditions(isReceived)} ${bound}
     ) found`;
  const listed = (ids: readonly number[]) => `unnest(${query.bind(ids, 'bigint[]')}) as s (id)`;
  const former = () => (hasTables ? 'former as s' : listed(formerChannelIds));
  const { channelIds, receivedSince, conversationIds, formerChannelIds } = sources;
  const channels = () => {
    if (!receivedSince) return part(listed(channelIds), 'channel_id');
    const { joined, isJoined } = joinedParts(query, channelIds, receivedSince, reading);
    // PostgreSQL refuses a parameter that the statement does not use.
    const isAsked = scope !== undefined || typeof chosen !== 'string';
    const isReceived = isAsked ? isReceivedIn(firstGiven(readerOf(query))) : UNKNOWN;
    return part(`${joined} as s`, 'channel_id', `and ${isJoined}`, isReceived);
  };
  const isLater = fromId ? `max_message_id >= ${fromId}` : 'true';
  const directs = () =>
    `(select id from ${hasTables ? 'direct' : `(${directConversations(query)}) as direct`} where ${isLater}) as s`;
  const named = () => (hasTables ? `(select id from named where ${isLater}) as s` : listed(conversationIds));
  const historical = () =>
    `(select ${columns(UNKNOWN)} from personal_flag f join message m on m.realm_id = f.realm_id and m.id = f.message_id
      where f.realm_id = $1 and f.user_id = ${readerOf(query)} and f.is_historical
        and ${isInRange} and ${conditions(UNKNOWN)} ${bound})`;
  const parts = [
    ...(channelIds.length > 0 ? [channels()] : []),
    ...(conversationIds.length > 0 ? [part(named(), 'conversation_id')] : []),
    ...(sources.hasDirects ? [part(directs(), 'conversation_id', '', 'true')] : []),
    ...(formerChannelIds.length > 0 ? [part(former(), 'sent_channel_id', `and ${isMovedFrom('m')}`)] : []),
    ...(sources.hasHistorical ? [historical()] : []),
  ];
  if (parts.length === 0) return `select ${columns(UNKNOWN)} from message m where false`;
  return parts.join(hasTables ? ' union all ' : ' union ');
}

/** The channels of which the reader has messages in the range, and the condition for those from the reader's beginning on. */
function joinedParts(
  query: Query,
  channelIds: readonly number[],
  receivedSince: ReceivedSince,
  { hasTables, isShort, toId }: SourceQuery,
): { joined: string; isJoined: string } {
  if (!hasTables) {
    const each = `(${joinedChannels(query, channelIds, receivedSince)}) c`;
    return {
      joined: `(select c.*, ${beginOf(query, 'c')} as from_id from ${each} offset 0)`,
      isJoined: 'm.id >= s.from_id',
    };
  }
  const begin = (channel: string) => `(select ids from begun)[${channel}.nth]`;
  const earliest = (channel: string) =>
    isShort ? `case when ${isShort} then 0 else ${begin(channel)} end` : begin(channel);
  const isBegun = toId ? `${earliest('j')} <= ${toId}` : 'true';
  return { joined: `(select * from joined j where ${isBegun})`, isJoined: `m.id >= ${earliest('s')}` };
}

/**
 * Tables for a statement that reads the sources more than once: `joined`, `named` and `direct`, with conversations, `former`, with the channels from
 * which any message was moved, and `begun`, which costs looks into each channel if it is asked. `exactFrom`: see receivedFrom(); without it, no
 * beginning is exact.
 */
export function sourceTables(
  query: Query,
  { channelIds, receivedSince, conversationIds, hasDirects, formerChannelIds }: Sources,
  exactFrom?: string,
): string[] {
  const begin = () => beginOf(query, 'c', exactFrom);
  return [
    ...(receivedSince
      ? [
          `joined as materialized (${joinedChannels(query, channelIds, receivedSince)})`,
          `begun as materialized (select array_agg(coalesce(${begin()}, ${Number.MAX_SAFE_INTEGER}) order by c.nth) as ids from joined c)`,
        ]
      : []),
    ...(conversationIds.length > 0 ? [`named as materialized (${namedConversations(query, conversationIds)})`] : []),
    ...(hasDirects ? [`direct as materialized (${directConversations(query)})`] : []),
    ...(formerChannelIds.length > 0 ? [`former as materialized (${formerChannels(query, formerChannelIds)})`] : []),
  ];
}

function joinedChannels({ bind }: Query, channelIds: readonly number[], { first, last, never }: ReceivedSince): string {
  const list = (values: readonly unknown[]) => bind(values, 'bigint[]');
  return `select c.* from unnest(${list(channelIds)}, ${list(first)}, ${list(last)}, ${list(never)}) with ordinality as c (id, first, last, never, nth) offset 0`;
}

/** The id below which the reader has received nothing of a channel: others may have sent many messages before the reader joined. */
function beginOf(query: Query, channel: string, exactFrom?: string): string {
  const joined = ['$1', `${channel}.id`, `${channel}.first`] as const;
  const firstSent = exactFrom ? receivedFrom(...joined, exactFrom) : receivedRoughlyFrom(...joined);
  const firstMovedThere = `select m.id from message m
          where m.realm_id = $1 and m.channel_id = ${channel}.id and ${isMovedTo('m')} order by m.id limit 1`;
  return `least(${firstSent},
        case when ${channel}.never is null then ${firstGiven(readerOf(query))} else (${firstMovedThere}) end)`;
}

const readerOf = ({ bind, search }: Query) => bind(search.reader.userId, 'bigint');

function formerChannels({ bind }: Query, channelIds: readonly number[]): string {
  // A limit keeps the planner from reading all moved messages.
  return `select s.id from unnest(${bind(channelIds, 'bigint[]')}) as s (id) cross join lateral (
        select from message m where m.realm_id = $1 and m.sent_channel_id = s.id and ${isMovedFrom('m')} limit 1
      ) moved`;
}

function namedConversations({ bind }: Query, ids: readonly number[]): string {
  const isNamed = `realm_id = $1 and id = any(${bind(ids, 'bigint[]')})`;
  return `select id, max_message_id from topic where ${isNamed} union all select id, max_message_id from direct_conversation where ${isNamed}`;
}

function directConversations(query: Query): string {
  return `select id, max_message_id from direct_conversation
      where realm_id = $1 and participant_ids @> array[${readerOf(query)}]`;
}

/** A query for the id of the next message in any of the sources, from an id on. */
export function nextOfSources(query: Query, { order }: Side, sources: Sources, fromId: string): string {
  const nextOfEach = partsOf(query, sources, {
    columns: 'm.id',
    isInRange: `m.id ${order.compare} ${fromId}`,
    ...(order.sort === 'asc' ? { fromId } : { fromId: `${fromId} + 1`, toId: fromId }),
    where: 'true',
    bound: `order by m.id ${order.sort} limit 1`,
    hasTables: true,
  });
  // Where nothing was written since, the newest message is the next one.
  const newestOfEach = [
    ...(sources.conversationIds.length > 0 ? ['named'] : []),
    ...(sources.hasDirects ? ['direct'] : []),
  ].map((table) => `select max_message_id as id from ${table} where max_message_id <= ${fromId}`);
  const parts = order.sort === 'asc' ? [nextOfEach] : [nextOfEach, ...newestOfEach];
  // Without the limit the planner would sort and merge what the sources have, which is at most one message of each.
  return `select ${order.sort === 'desc' ? 'max' : 'min'}(m.id) from (${parts.join(' union all ')} offset 0) as m`;
}

interface Nearest extends Partial<Pick<SourceQuery, 'where' | 'scope'>> {
  /** SQL. */
  limit?: string;
  side?: Side;
}

/** At most `limit` messages per source, nearest to the end of `side`'s range: both bound the cost. */
export function nearestOf(
  query: Query,
  sources: Sources,
  { side = query, limit = side.limit, where = 'true', scope }: Nearest = {},
): string {
  const { sort } = side.order;
  return partsOf(query, sources, {
    columns: 'm.id',
    isInRange: side.isInRange('m.id'),
    ...(sort === 'asc' && { fromId: side.fromId }),
    where,
    ...(scope !== undefined && { scope }),
    bound: `order by m.id ${sort} limit ${limit}`,
  });
}

/** The same of those messages that the search asks for. */
export function nearestMeant(query: Query, sources: Sources, nearest: Nearest = {}): string {
  const where = [...query.othersInPlace, ...(nearest.where ? [nearest.where] : [])].join(' and ') || 'true';
  return nearestOf(query, sources, { ...nearest, scope: query.scope, where });
}
