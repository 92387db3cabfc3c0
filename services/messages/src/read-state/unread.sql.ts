import { isMovedTo } from '../access/moved.sql';
import type { UnreadReader } from '../access/permissions';
import { beganReadBy, countedChannelIds, receivesSince } from './is-read';

/** The placeholders of unreadValues() in a statement: `$3` for instance. */
export interface UnreadParameters {
  realmId: string;
  readerId: string;
  lastingChannelIds: string;
  lastingFromVersions: string;
  countedChannelIds: string;
  mutedUserIds: string;
}

/** The six placeholders from that number on. */
export function unreadParameters(first: number): UnreadParameters {
  const nth = (offset: number) => `$${first + offset}`;
  return {
    realmId: nth(0),
    readerId: nth(1),
    lastingChannelIds: nth(2),
    lastingFromVersions: nth(3),
    countedChannelIds: nth(4),
    mutedUserIds: nth(5),
  };
}

/** In the order of unreadValues(). */
export const UNREAD_TYPES: Record<keyof UnreadParameters, string> = {
  realmId: 'bigint',
  readerId: 'bigint',
  lastingChannelIds: 'bigint[]',
  lastingFromVersions: 'bigint[]',
  countedChannelIds: 'bigint[]',
  mutedUserIds: 'bigint[]',
};

/** The same with their types, for statements that cannot infer them. */
export function typedUnreadParameters(first: number): UnreadParameters {
  const names = Object.entries(unreadParameters(first)) as [keyof UnreadParameters, string][];
  return Object.fromEntries(
    names.map(([name, nth]) => [name, `${nth}::${UNREAD_TYPES[name]}`]),
  ) as unknown as UnreadParameters;
}

/** Parameters of the queries for unread messages. `channelIds` restricts them to some channels. */
export function unreadValues(reader: UnreadReader, channelIds = countedChannelIds(reader)): unknown[] {
  const lasting = [...reader.channels.values()].filter((channel) => receivesSince(channel) !== null);
  return [
    reader.realm.id,
    reader.userId,
    lasting.map(({ channelId }) => channelId),
    lasting.map(receivesSince),
    channelIds,
    [...reader.mutedUserIds],
  ];
}

/** Restrictions; each is SQL, a parameter for instance. */
export interface UnreadBounds {
  fromId?: string;
  toId?: string;
  /** Only in some topics and direct conversations: a condition on the id of one, itself SQL. */
  isAmong?(conversationId: string): string;
  /** Only in conversations that meet a condition on `m.conversation_id` and `m.channel_id`. */
  isInPlace?: string;
  /** Restricts the messages that the reader has marked as unread, by a condition on `m`. */
  isFound?: string;
  /** Limit for each stretch, from one end: sufficient for a total limit. */
  nearest?: { order: 'asc' | 'desc'; limit: string };
  /** Restricts the ranges to ids between two, both included. */
  within?: { lowId: string; highId: string };
  /** Skips channels without any message after the reader's watermark, unless more than FRESH_MESSAGES came after it. */
  fresh?: true;
}

/** Reading these takes about as long as a look at a hundred channels; people who keep up have fewer, and hundreds of channels. */
const FRESH_MESSAGES = 1_000;

/** Topics of a channel that are all looked at; in channels with more, the number of later messages whose topics are looked at instead. */
const FEW_TOPICS = 100;
const LATER_MESSAGES = 200;

/**
 * Messages are stored nearly in the order of their versions: this time before the first message of a version, and this number of
 * ids before it, there are none of it.
 */
const STRAY_TIME = '5 minutes';
const STRAY_IDS = 10_000;
/** Number of messages that are read to find one older than that. */
const STRAY_STEPS = 100;

/**
 * SQL for a lower bound of the ids of messages sent to the channel at this subscription version or later; null without any. It is
 * a few messages below the first one if that comes after `exactFrom`, and up to STRAY_IDS below it otherwise, which costs less.
 */
export function receivedFrom(realmId: string, channelId: string, version: string, exactFrom: string): string {
  return `(select coalesce(case when s.id > ${exactFrom} then (
         select older.id from (
           select p.id, p.sent_at from message p
           where p.realm_id = ${realmId} and p.id < s.id and p.id >= s.id - ${STRAY_IDS} order by p.id desc limit ${STRAY_STEPS}
         ) older where older.sent_at < s.sent_at - interval '${STRAY_TIME}' order by older.id desc limit 1
       ) end, s.id - ${STRAY_IDS})
       from (${firstOfVersion('s.id, s.sent_at', realmId, channelId, version)}) s)`;
}

/** A lower bound with fewer steps. */
export function receivedRoughlyFrom(realmId: string, channelId: string, version: string): string {
  return `(${firstOfVersion(`s.id - ${STRAY_IDS}`, realmId, channelId, version)})`;
}

function firstOfVersion(columns: string, realmId: string, channelId: string, version: string): string {
  return `select ${columns} from message s
         where s.realm_id = ${realmId} and s.sent_channel_id = ${channelId} and s.sent_version >= ${version}
         order by s.sent_version, s.id limit 1`;
}

/**
 * A query for `id, conversation_id, channel_id, sender_id` of every message that is unread for the reader, each once, unordered.
 * Read messages are skipped: the stretches between them are ranges in the index of the conversation, which covers all columns
 * needed.
 */
export function unreadMessages(p: UnreadParameters, bounds: UnreadBounds = {}): string {
  return `with ${unreadStretches(p, bounds)}
    ${stretched(p, bounds)}
    union all ${unreadBesideStretches(p, bounds)}`;
}

/** The part of unreadMessages() outside the table `stretch`: few messages for most users. */
export function unreadBesideStretches(p: UnreadParameters, bounds: UnreadBounds): string {
  return `${fromOtherChannels(p, bounds)}
    union all ${unpassed(p, bounds)}
    union all ${byHand(p, bounds)}`;
}

/** SQL for a statement with the tables of countedChannels(): whether that part may have any. */
export function hasBesideStretches(p: UnreadParameters): string {
  const isMarked = (ids: string) => `exists (
        select from read_exception e where e.realm_id = ${p.realmId} and e.user_id = ${p.readerId} and e.${ids} <> '{}')`;
  return `(${isMarked('unread')} or ${isMarked('unpassed')} or exists (
        select from counted c cross join lateral (
          select from message m where m.realm_id = ${p.realmId} and m.channel_id = c.channel_id and ${isMovedTo('m')}
            and m.id > c.read_to and m.moved_version >= c.from_version ${FENCE}
        ) moved))`;
}

/** Tables for a statement: `stretch` has the ranges of ids in which messages are unread unless they began as read. */
export function unreadStretches(p: UnreadParameters, bounds: UnreadBounds): string {
  const channels = bounds.fresh ? `${freshChannels(p)}, ${receivedChannels(p, 'fresh')}` : receivedChannels(p);
  return `${countedChannels(p)}, ${channels}, ${places(p, bounds)}, ${stretches(p, bounds)}`;
}

/**
 * Tables: `read_to`, with the watermark; `lasting`, with the channels that the reader is subscribed to; `counted`, with those of
 * them in which messages can be unread, and how far they are read.
 * NOTE: "is true" makes it a look into a hash table: of a join with a list, the planner compares each channel with each other one.
 */
export function countedChannels(p: UnreadParameters): string {
  return `read_to (id) as (
      select coalesce((select message_id from read_watermark where realm_id = ${p.realmId} and user_id = ${p.readerId}), 0)
    ), lasting (channel_id, from_version) as (
      select * from unnest(${p.lastingChannelIds}::bigint[], ${p.lastingFromVersions}::bigint[])
    ), counted as materialized (
      select l.channel_id, l.from_version, greatest(w.id, c.message_id) as read_to
      from lasting l cross join read_to w
      left join channel_read_watermark c
        on c.realm_id = ${p.realmId} and c.user_id = ${p.readerId} and c.channel_id = l.channel_id
      where (l.channel_id in (select unnest(${p.countedChannelIds}::bigint[]))) is true
    )`;
}

/** The table `fresh`: the counted channels except some without messages after the watermarks. */
function freshChannels({ realmId }: UnreadParameters): string {
  return `near as materialized (
      select m.channel_id from message m where m.realm_id = ${realmId} and m.id > (select id from read_to)
      order by m.id limit ${FRESH_MESSAGES + 1}
    ), fresh as materialized (
      select c.* from counted c
      where (select count(*) from near) > ${FRESH_MESSAGES} or c.channel_id in (select channel_id from near)
    )`;
}

// A limit, even an unlimited one, keeps the planner from reading whole tables, or all marks of the reader, instead of ranges of an index.
const FENCE = 'offset 0';

/**
 * The table `received`: the counted channels with received messages after the watermarks, and the id from which on they may be unread. Most
 * channels have no later messages than the watermark: a look at their newest message spares them the search for the first received one.
 */
export function receivedChannels(p: UnreadParameters, channels = 'counted'): string {
  const later = `(select c.* from ${channels} c where (
        select true from message m where m.realm_id = ${p.realmId} and m.channel_id = c.channel_id and m.id > c.read_to
        order by m.id desc limit 1) ${FENCE})`;
  return `received as materialized (${receivedOf(p, later)})`;
}

/** A query for those of the channels of which the reader received messages, and the id from which on these may be unread. */
export function receivedOf({ realmId }: UnreadParameters, channels: string): string {
  return `select c.channel_id, c.from_version, greatest(c.read_to + 1, first.id) as from_id
      from ${channels} c cross join lateral (
        select ${receivedFrom(realmId, 'c.channel_id', 'c.from_version', 'c.read_to')} as id offset 0
      ) first where first.id is not null`;
}

/** The table `place`: topics and direct conversations with messages after the watermarks. */
function places(p: UnreadParameters, { isAmong, isInPlace, toId }: UnreadBounds): string {
  const isBegun = (fromId: string) => (toId ? `${fromId} <= ${toId}::bigint` : 'true');
  const isMeant = (id: string, channelId: string) =>
    [
      isAmong?.(id) ?? 'true',
      ...(isInPlace
        ? [`exists (select from (select ${id} as conversation_id, ${channelId} as channel_id) m where ${isInPlace})`]
        : []),
    ].join(' and ');
  return `place as (
      select t.id, c.channel_id, c.from_version, c.from_id, t.max_message_id as to_id
      from received c cross join lateral (${laterTopics(p)}) t
      where t.max_message_id >= c.from_id and ${isBegun('c.from_id')} and ${isMeant('t.id', 'c.channel_id')}
      union all
      select d.id, null, null, w.id + 1, d.max_message_id
      from direct_conversation d cross join read_to w
      where d.realm_id = ${p.realmId} and d.participant_ids @> array[${p.readerId}::bigint] and d.max_message_id > w.id
        and ${isBegun('w.id + 1')} and ${isMeant('d.id', 'null::bigint')}
    )`;
}

/**
 * A query for topics of the channel `c`, among them all with messages from `c.from_id` on: all topics if these are few, those of the later
 * messages if these are few. A channel may have thousands of topics, most of them quiet for long.
 */
function laterTopics({ realmId }: UnreadParameters): string {
  const topics = (where: string) =>
    `select t.id, t.max_message_id from topic t where t.realm_id = ${realmId} and ${where}`;
  const ofChannel = 't.channel_id = c.channel_id';
  return `select t.* from (
        select array_agg(t.id) as ids, array_agg(t.max_message_id) as newest_ids, count(*) > ${FEW_TOPICS} as are_many
        from (${topics(ofChannel)} order by t.name_key limit ${FEW_TOPICS + 1}) t
      ) few cross join lateral (
        select array_agg(distinct m.conversation_id) as topic_ids, count(*) > ${LATER_MESSAGES} as are_many from (
          select m.conversation_id from message m
          where few.are_many and m.realm_id = ${realmId} and m.channel_id = c.channel_id and m.id >= c.from_id
          order by m.id limit ${LATER_MESSAGES + 1}
        ) m
      ) later cross join lateral (
        select t.* from unnest(few.ids, few.newest_ids) as t (id, max_message_id) where not few.are_many
        union all ${topics('few.are_many and not later.are_many and t.id = any(later.topic_ids)')}
        union all ${topics(`later.are_many and ${ofChannel}`)}
      ) t`;
}

/** The ranges of ids in a conversation without explicit marks. */
function stretches(p: UnreadParameters, { fromId, toId }: UnreadBounds): string {
  const from = fromId ? `greatest(p.from_id, ${fromId}::bigint)` : 'p.from_id';
  const to = toId ? `least(p.to_id, ${toId}::bigint)` : 'p.to_id';
  return `stretch as (
      select p.id as conversation_id, p.channel_id, p.from_version, lower(ids) as from_id, upper(ids) as to_id
      from place p
      left join lateral (
        select e.read, e.unread from read_exception e
        where e.realm_id = ${p.realmId} and e.user_id = ${p.readerId} and e.conversation_id = p.id ${FENCE}
      ) e on true
      cross join unnest(int8multirange(int8range(${from}, greatest(${to} + 1, ${from})))
        - coalesce(e.read, '{}') - coalesce(e.unread, '{}')) as ids
    )`;
}

const COLUMNS = 'm.id, m.conversation_id, m.channel_id, m.sender_id';

/** Excludes the reader's own read messages, those that started as read, and those of muted users. */
export function beganUnread({ readerId, mutedUserIds }: UnreadParameters): string {
  return `not (m.sender_id = ${readerId} and m.is_read_by_sender) and not ${beganReadBy(readerId)}
    and m.sender_id <> all(${mutedUserIds}::bigint[])`;
}

/** Unread messages in `stretch`. */
export function stretched(p: UnreadParameters, { nearest, within }: UnreadBounds): string {
  const isWithinStretch = within ? `s.from_id <= ${within.highId} and s.to_id > ${within.lowId}` : 'true';
  const isWithinIds = within ? `m.id between ${within.lowId} and ${within.highId}` : 'true';
  return `select m.id, m.conversation_id, s.channel_id, m.sender_id from stretch s cross join lateral (
      select m.id, m.conversation_id, m.sender_id from message m
      where m.realm_id = ${p.realmId} and ${isInStretch} and ${isWithinIds} and ${beganUnread(p)} ${boundOf(nearest)}
    ) m where ${isWithinStretch}`;
}

function boundOf(nearest: UnreadBounds['nearest']): string {
  return nearest ? `order by m.id ${nearest.order} limit ${nearest.limit}` : FENCE;
}

/** A message `m` in the stretch `s`; excludes messages that were not sent to the topic's channel. */
export const isInStretch = `m.conversation_id = s.conversation_id and m.id >= s.from_id and m.id < s.to_id
        and (s.channel_id is null or m.sent_channel_id = s.channel_id and m.sent_version >= s.from_version)`;

/** Messages moved here from other channels: few, perhaps older than the reader's subscription. */
function fromOtherChannels(p: UnreadParameters, bounds: UnreadBounds): string {
  return `select ${COLUMNS} from ${bounds.fresh ? 'fresh' : 'counted'} c cross join lateral (
      select ${COLUMNS}, m.sent_channel_id, m.sent_version, m.is_read_by_sender, m.read_by_ids from message m
      where m.realm_id = ${p.realmId} and m.channel_id = c.channel_id and ${isMovedTo('m')}
        and m.id > c.read_to and m.moved_version >= c.from_version and ${isWithin(bounds)} ${FENCE}
    ) m
    join lasting l on l.channel_id = m.sent_channel_id and m.sent_version >= l.from_version
    left join read_exception e
      on e.realm_id = ${p.realmId} and e.user_id = ${p.readerId} and e.conversation_id = m.conversation_id
    where not coalesce(e.read @> m.id or e.unread @> m.id, false) and ${beganUnread(p)}`;
}

/** Unread messages moved here from below the reader's watermarks. */
function unpassed(p: UnreadParameters, bounds: UnreadBounds): string {
  return `select ${COLUMNS} from read_exception e cross join unnest(e.unpassed - e.read - e.unread) as ids
    ${messagesWithin('ids', p, bounds)}
    join counted c on c.channel_id = m.channel_id and m.id <= c.read_to
      and (m.sent_channel_id = m.channel_id or m.moved_version >= c.from_version)
    join lasting l on l.channel_id = m.sent_channel_id and m.sent_version >= l.from_version
    where e.realm_id = ${p.realmId} and e.user_id = ${p.readerId} and e.unpassed <> '{}' and ${isMarkedIn(bounds)}
      and ${beganUnread(p)}`;
}

/** Messages that the reader marked as unread, received or not. */
function byHand(p: UnreadParameters, bounds: UnreadBounds): string {
  const isUnread = `(m.channel_id is null or m.channel_id = any(${p.countedChannelIds}::bigint[]))
        and m.sender_id <> all(${p.mutedUserIds}::bigint[]) and ${bounds.isFound ?? 'true'}`;
  return `select ${COLUMNS} from read_exception e cross join unnest(e.unread) as ids
    ${messagesWithin('ids', p, bounds, `and ${isUnread} ${boundOf(bounds.nearest)}`)}
    where e.realm_id = ${p.realmId} and e.user_id = ${p.readerId} and e.unread <> '{}' and ${isMarkedIn(bounds)}`;
}

function isMarkedIn({ isAmong }: UnreadBounds): string {
  return isAmong?.('e.conversation_id') ?? 'true';
}

/**
 * Messages `m` of the conversation of `e` in a range of ids. Were the list of conversations a condition on `m`, too, the planner would read the
 * whole conversation for each range.
 */
function messagesWithin(
  ids: string,
  p: UnreadParameters,
  { isAmong: _, ...bounds }: UnreadBounds,
  more = FENCE,
): string {
  return `cross join lateral (
      select ${COLUMNS}, m.sent_channel_id, m.sent_version, m.moved_version, m.is_read_by_sender, m.read_by_ids from message m
      where m.realm_id = ${p.realmId} and m.conversation_id = e.conversation_id and m.id >= lower(${ids}) and m.id < upper(${ids})
        and ${isWithin(bounds)} ${more}
    ) m`;
}

function isWithin({ fromId, toId, isAmong, isInPlace }: UnreadBounds): string {
  return [
    'true',
    ...(fromId ? [`m.id >= ${fromId}`] : []),
    ...(toId ? [`m.id <= ${toId}`] : []),
    ...(isInPlace ? [isInPlace] : []),
    ...(isAmong ? [isAmong('m.conversation_id')] : []),
  ].join(' and ');
}

/**
 * Whether one message `m` is unread for the reader: reads only rows of this message, whatever the number of unread messages.
 * NOTE: unreadMessages() has the same rule for sets, and isRead() for loaded data.
 */
export function isUnreadMessage(p: UnreadParameters): string {
  const { realmId, readerId } = p;
  const ofReader = (name: string) => `${name}.realm_id = ${realmId} and ${name}.user_id = ${readerId}`;
  const isPassed = `(m.id <= coalesce((select w.message_id from read_watermark w where ${ofReader('w')}), 0)
    or m.id <= (select c.message_id from channel_read_watermark c where ${ofReader('c')} and c.channel_id = m.channel_id)) is true`;
  return `(m.sender_id <> all(${p.mutedUserIds}) and (m.channel_id is null or m.channel_id = any(${p.countedChannelIds}))
    and (select case when e.read @> m.id then false when e.unread @> m.id then true
        else ${beganUnread(p)} and ${keepsReceiving(p)} and (coalesce(e.unpassed @> m.id, false) or not ${isPassed}) end
      from (select) one
      left join read_exception e on ${ofReader('e')} and e.conversation_id = m.conversation_id))`;
}

/** Received, and all subscriptions that it was received through still last. */
function keepsReceiving({ realmId, readerId, lastingChannelIds, lastingFromVersions }: UnreadParameters): string {
  const since = (channelId: string) => `(${lastingFromVersions})[array_position(${lastingChannelIds}, ${channelId})]`;
  return `case when m.channel_id is null then exists (
      select from direct_conversation d
      where d.realm_id = ${realmId} and d.id = m.conversation_id and d.participant_ids @> array[${readerId}])
    else m.sent_version >= ${since('m.sent_channel_id')}
      and (m.channel_id = m.sent_channel_id or m.moved_version >= ${since('m.channel_id')}) end`;
}
