import { anyIds, anyValue } from '../messages/message.sql';
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
  /** The reader received nothing older from the channel, except for the history given on joining. */
  first: readonly (number | null)[];
  /** The reader received everything sent to the channel since. */
  last: readonly (number | null)[];
  /** The reader received nothing sent to the channel before and not moved, in whatever way. */
  never: readonly (number | null)[];
}

/** The columns and conditions of each source, as SQL on `m`. */
interface SourceQuery {
  /** `m.id` first. */
  columns: string;
  /** Conditions on the id, for the index. */
  isInRange: string;
  /** No message before that id is read. */
  fromId?: string;
  where: string;
  /** A further condition, met by every message that the reader has received. Absent: `is_received` says it where that is plain, or is null. */
  scope?: string;
  /** The end of each source's query. */
  bound: string;
  /** The statement has the tables of sourceTables(), and does not mind a message that comes from more than one source. */
  hasTables?: boolean;
}

const UNKNOWN = 'null::boolean';
/** Of a message that is in the channel `s` now. */
const IS_RECEIVED = `case when m.sent_channel_id <> s.id then ${UNKNOWN} when m.sent_version >= s.last then true
            when m.sent_version < s.never and m.moved_version is null then false end`;

/** A query for those columns of messages in the sources, each message once unless `hasTables`. Every source is read along its index. */
export function partsOf(query: Query, sources: Sources, reading: SourceQuery): string {
  const { isInRange, fromId, where, scope, bound, hasTables = false } = reading;
  const columns = (isReceived: string) =>
    scope === undefined ? `${reading.columns}, ${isReceived} as is_received` : reading.columns;
  const conditions = (isReceived: string) =>
    `${scope === undefined ? 'true' : `(${isReceived} or ${scope})`} and ${where}`;
  const part = (places: string, key: string, more = '', isReceived = UNKNOWN) =>
    `select found.* from ${places} cross join lateral (
       select ${columns(isReceived)} from message m
       where m.realm_id = $1 and m.${key} = s.id and ${isInRange} ${more} and ${conditions(isReceived)} ${bound}
     ) found`;
  const listed = (ids: readonly number[]) => `unnest(${anyIds(query.bind(ids, 'bigint[]'))}) as s (id)`;
  const { channelIds, receivedSince, conversationIds, formerChannelIds } = sources;
  const channels = () =>
    receivedSince
      ? part(
          hasTables ? 'joined as s' : `(${joinedChannels(query, channelIds, receivedSince)}) as s`,
          'channel_id',
          'and m.id >= s.from_id',
          IS_RECEIVED,
        )
      : part(listed(channelIds), 'channel_id');
  const directs = () => `(select id from ${hasTables ? 'direct' : `(${directConversations(query)}) as direct`}
      where ${fromId ? `max_message_id >= ${fromId}` : 'true'}) as s`;
  const historical = () =>
    `(select ${columns(UNKNOWN)} from personal_flag f join message m on m.realm_id = f.realm_id and m.id = f.message_id
      where f.realm_id = $1 and f.user_id = ${query.bind(query.search.reader.userId, 'bigint')} and f.is_historical
        and ${isInRange} and ${conditions(UNKNOWN)} ${bound})`;
  const parts = [
    ...(channelIds.length > 0 ? [channels()] : []),
    ...(conversationIds.length > 0 ? [part(listed(conversationIds), 'conversation_id')] : []),
    ...(sources.hasDirects ? [part(directs(), 'conversation_id', '', 'true')] : []),
    ...(formerChannelIds.length > 0
      ? [part(listed(formerChannelIds), 'sent_channel_id', 'and m.channel_id <> m.sent_channel_id')]
      : []),
    ...(sources.hasHistorical ? [historical()] : []),
  ];
  if (parts.length === 0) return `select ${columns(UNKNOWN)} from message m where false`;
  return parts.join(hasTables ? ' union all ' : ' union ');
}

/** Tables for a statement that reads the sources more than once: `joined` and `direct`. `isExact`: see receivedFrom(). */
export function sourceTables(
  query: Query,
  { channelIds, receivedSince, hasDirects }: Sources,
  isExact: boolean,
): string[] {
  const joined = receivedSince && joinedChannels(query, channelIds, receivedSince, isExact ? receivedFrom : undefined);
  return [
    ...(joined ? [`joined as materialized (${joined})`] : []),
    ...(hasDirects ? [`direct as materialized (${directConversations(query)})`] : []),
  ];
}

/** The channels, each with the id below which the reader has received nothing: others may have sent many messages before the reader joined. */
function joinedChannels(
  { bind, search }: Query,
  channelIds: readonly number[],
  { first, last, never }: ReceivedSince,
  fromId = receivedRoughlyFrom,
): string {
  const list = (values: readonly unknown[]) => anyIds(bind(values, 'bigint[]'));
  return `select c.id, c.last, c.never, case when c.first is null then 0
        else least(${fromId('$1', 'c.id', 'c.first')}, ${firstGiven(bind(search.reader.userId, 'bigint'))}) end as from_id
      from unnest(${list(channelIds)}, ${list(first)}, ${list(last)}, ${list(never)}) as c (id, first, last, never) offset 0`;
}

function directConversations({ bind, search }: Query): string {
  return `select id, max_message_id from direct_conversation
      where realm_id = $1 and participant_ids @> array[${anyValue(bind(search.reader.userId, 'bigint'))}]`;
}

/** A query for the id of the next message in any of the sources, from an id on. */
export function nextOfSources(query: Query, { order }: Side, sources: Sources, fromId: string): string {
  const nextOfEach = partsOf(query, sources, {
    columns: 'm.id',
    isInRange: `m.id ${order.compare} ${fromId}`,
    ...(order.sort === 'asc' && { fromId }),
    where: 'true',
    scope: 'true',
    bound: `order by m.id ${order.sort} limit 1`,
    hasTables: true,
  });
  return `select ${order.sort === 'desc' ? 'max' : 'min'}(m.id) from (${nextOfEach}) as m`;
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
  { side = query, limit = side.limit, where = 'true', scope = 'true' }: Nearest = {},
): string {
  const { sort } = side.order;
  return partsOf(query, sources, {
    columns: 'm.id',
    isInRange: side.isInRange('m.id'),
    ...(sort === 'asc' && { fromId: side.fromId }),
    where,
    scope,
    bound: `order by m.id ${sort} limit ${limit}`,
  });
}

/** The same of those messages that the search asks for. */
export function nearestMeant(query: Query, sources: Sources, nearest: Nearest = {}): string {
  const where = [...query.others, ...(nearest.where ? [nearest.where] : [])].join(' and ') || 'true';
  return nearestOf(query, sources, { ...nearest, scope: query.scope, where });
}
