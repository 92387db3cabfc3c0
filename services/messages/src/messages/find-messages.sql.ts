import { createHash } from 'node:crypto';
import { type Sql, type Statement, statement } from '@parley/shared/db';
import { isInChannels, isInConversations, isUnread, unreadParametersOf } from '../narrows/conditions.sql';
import type { Bind, Condition, Conversation, Lead, Narrow } from '../narrows/narrow';
import { follow, orderOf } from '../narrows/routes.sql';
import { isInScope } from '../narrows/scope.sql';
import { countedChannelIds } from '../read-state/reading';
import { type UnreadBounds, type UnreadParameters, unreadMessages } from '../read-state/unread.sql';
import type { Reader } from './permissions';

/** Towards older messages, or towards newer ones. */
export type Direction = 'before' | 'after';

const ORDER = {
  before: { compare: '<=', sort: 'desc', back: 'asc', unread: 'toId' },
  after: { compare: '>=', sort: 'asc', back: 'desc', unread: 'fromId' },
} as const;

/** Where to look next: ids from `fromId` on, itself included, in a direction. */
export interface Range {
  realmId: number;
  direction: Direction;
  fromId: number;
  limit: number;
}

/** What a reader looks for. */
export interface Search {
  reader: Reader;
  narrow: Narrow;
}

/** Channels and conversations to look into, one by one along their indexes. */
export interface Sources {
  channelIds: readonly number[];
  conversationIds: readonly number[];
  /** Channels whose receivers got messages that were moved elsewhere since. */
  formerChannelIds: readonly number[];
  /** Also what the reader has taken an interest in without having received it. */
  hasHistorical: boolean;
}

export interface Window {
  /** How many messages were looked at, the last of them, and the ids of those that are meant. */
  scanned: number;
  lastId: number | null;
  ids: number[];
}

/** A statement in the making: `$1` is the organization, `$2` the first id, `$3` the limit. */
class Query {
  readonly values: unknown[];
  readonly order;
  /** The conditions on `m` of all that the search asks for; see isInScope() about `source`. */
  readonly where: string;
  readonly whereJoined: string;

  constructor(
    readonly search: Search,
    readonly range: Range,
    { isUnreadKnown = false, known }: { isUnreadKnown?: boolean; known?: Condition | undefined } = {},
  ) {
    this.values = [range.realmId, range.fromId, range.limit];
    this.order = ORDER[range.direction];
    const { narrow, reader } = search;
    const conditions = [
      ...(narrow.messageIds ? [`m.id = any(${this.bind(narrow.messageIds, 'bigint[]')})`] : []),
      ...(narrow.channelIds ? [isInChannels(narrow.channelIds)(this.bind)] : []),
      ...(narrow.conversations ? [isInConversations(narrow.conversations.map(({ id }) => id))(this.bind)] : []),
      ...narrow.conditions.filter((condition) => condition !== known).map((condition) => condition(this.bind)),
      ...(narrow.isUnread && !isUnreadKnown ? [isUnread(reader)(this.bind)] : []),
    ];
    const scope = isInScope(search, this.bind);
    this.where = [scope.alone, ...conditions].join(' and ');
    this.whereJoined = [scope.joined, ...conditions].join(' and ');
    this.source = scope.source;
  }

  /** What `whereJoined` needs beside `m`. */
  readonly source: string;

  readonly bind: Bind = (value, type) => `$${this.values.push(value)}::${type}`;

  isInRange = (id: string): string => `${id} ${this.order.compare} $2`;

  /** Hot ones are few and prepared; the others are planned for their own values. */
  run<Row>(sql: Sql, text: string): Promise<Row[]> {
    const isHot = this.search.narrow.conditions.length === 0;
    return sql.query(isHot ? prepared(text) : text, this.values);
  }
}

/** A statement named after its text, for the texts that are few. */
export function prepared(text: string): Statement {
  return statement(`find-${createHash('sha1').update(text).digest('base64url')}`, text);
}

/** Ids in the order of the direction, of messages in any of the sources. */
export async function findInSources(sql: Sql, search: Search, range: Range, sources: Sources): Promise<number[]> {
  const query = new Query(search, range);
  const found = partsOf(query, sources, 'm.id', `and ${query.where}`, '$3');
  const rows = await query.run<{ id: number }>(
    sql,
    `select id from (${found}) as m order by id ${query.order.sort} limit $3`,
  );
  return rows.map(({ id }) => id);
}

/** Each source is read along its index, so the cost is bounded by the number of sources and the limit. */
function partsOf(
  { order, bind, search }: Query,
  sources: Sources,
  column: string,
  where: string,
  limit: string,
): string {
  const part = (ids: readonly number[], key: string, more = '') =>
    `select found.id from unnest(${bind(ids, 'bigint[]')}) as s (id) cross join lateral (
       select ${column} from message m
       where m.realm_id = $1 and m.${key} = s.id and m.id ${order.compare} $2 ${more} ${where}
       order by m.id ${order.sort} limit ${limit}
     ) found`;
  const historical = () =>
    `(select ${column} from personal_flag f join message m on m.realm_id = f.realm_id and m.id = f.message_id
      where f.realm_id = $1 and f.user_id = ${bind(search.reader.userId, 'bigint')} and f.is_historical
        and m.id ${order.compare} $2 ${where} order by m.id ${order.sort} limit ${limit})`;
  const { channelIds, conversationIds, formerChannelIds } = sources;
  const parts = [
    ...(channelIds.length > 0 ? [part(channelIds, 'channel_id')] : []),
    ...(conversationIds.length > 0 ? [part(conversationIds, 'conversation_id')] : []),
    ...(formerChannelIds.length > 0
      ? [part(formerChannelIds, 'sent_channel_id', 'and m.channel_id <> m.sent_channel_id')]
      : []),
    ...(sources.hasHistorical ? [historical()] : []),
  ];
  return parts.length > 0 ? parts.join(' union ') : 'select null::bigint where false';
}

/** Ids of messages that are meant among the next `size` of the organization, or of the sources. */
export async function findInWindow(
  sql: Sql,
  search: Search,
  range: Range,
  size: number,
  sources: Sources | null,
): Promise<Window> {
  const query = new Query(search, range);
  const { order, bind } = query;
  const rows = bind(size, 'bigint');
  const scanned = sources
    ? partsOf(query, sources, 'm.id', '', rows)
    : `select m.id from message m where m.realm_id = $1 and m.id ${order.compare} $2`;
  const end = `m.id ${order.compare === '<=' ? '>=' : '<='} (select "lastId" from edge)`;
  const found = sources
    ? partsOf(query, sources, 'm.id', `and ${end} and ${query.where}`, '$3')
    : `select m.id from message m ${query.source}
       where m.realm_id = $1 and m.id ${order.compare} $2 and ${end} and ${query.whereJoined}`;
  return one(
    query.run(
      sql,
      `with edge as materialized (
         select count(*) as scanned, ${order.sort === 'desc' ? 'min' : 'max'}(id) as "lastId"
         from (select id from (${scanned}) as m order by id ${order.sort} limit ${rows}) as scanned
       )
       select scanned, "lastId", array(select id from (${found}) as m order by id ${order.sort} limit $3) as ids from edge`,
    ),
  );
}

/** Ids of messages that an index leads to. */
export async function findAlongLead(sql: Sql, search: Search, range: Range, lead: Lead): Promise<number[]> {
  const query = new Query(search, range, { known: lead.known });
  const { sort } = query.order;
  const parts = lead.routes.map((route) => {
    const from = follow(route, search.reader.userId, { isInRange: query.isInRange, sort }, query.bind);
    return `(select m.id from ${from} and ${query.where} order by ${orderOf(route)} ${sort} limit $3)`;
  });
  const rows = await query.run<{ id: number }>(
    sql,
    `select id from (${parts.join(' union ')}) as m order by id ${sort} limit $3`,
  );
  return rows.map(({ id }) => id);
}

/** Ids of messages that are meant among those with the ids that the narrow names. */
export async function findById(sql: Sql, search: Search, range: Range): Promise<number[]> {
  const query = new Query(search, range);
  const rows = await query.run<{ id: number }>(
    sql,
    `select m.id from message m where m.realm_id = $1 and ${query.isInRange('m.id')} and ${query.where}
     order by m.id ${query.order.sort} limit $3`,
  );
  return rows.map(({ id }) => id);
}

/** Ids of messages that are meant among the next `size` unread ones. */
export async function findInUnread(sql: Sql, search: Search, range: Range, size: number): Promise<Window> {
  const query = new Query(search, range, { isUnreadKnown: true });
  const { order, bind } = query;
  const limit = bind(size, 'bigint');
  const bounds = {
    [order.unread]: '$2::bigint',
    ...unreadBoundsOf(search, bind),
    nearest: { order: order.sort, limit },
  };
  return one(
    query.run(
      sql,
      `with looked_at as materialized (
         select id from (${unreadMessages(unreadParametersIn(search, bind), bounds)}) as unread order by id ${order.sort} limit ${limit}
       ), found as (
         select m.id from looked_at join message m on m.realm_id = $1 and m.id = looked_at.id
         where ${query.where} order by m.id ${order.sort} limit $3
       )
       select (select count(*) from looked_at) as scanned,
         (select id from looked_at order by id ${order.back} limit 1) as "lastId",
         array(select id from found order by id ${order.sort}) as ids`,
    ),
  );
}

/** For what is unread in the channels that a search names. */
export function unreadParametersIn({ reader, narrow: { channelIds } }: Search, bind: Bind): UnreadParameters {
  const counted = countedChannelIds(reader);
  return unreadParametersOf(reader, bind, channelIds && counted.filter((id) => channelIds.includes(id)));
}

/** Bounds of what is unread in the conversations that a search names. */
export function unreadBoundsOf({ narrow: { conversations } }: Search, bind: Bind): UnreadBounds {
  const idsOf = (list: readonly Conversation[]) => list.map(({ id }) => id);
  return conversations ? { conversationIds: bind(idsOf(conversations), 'bigint[]') } : {};
}

async function one(rows: Promise<Window[]>): Promise<Window> {
  const [row] = await rows;
  return row as Window;
}
