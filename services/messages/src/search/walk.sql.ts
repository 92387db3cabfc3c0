import type { Sql } from '@parley/shared/db';
import { z } from 'zod';
import { isOneOf, unreadParametersOf } from '../narrows/conditions.sql';
import { type Bind, idsOf } from '../narrows/narrow';
import { countedChannelIds } from '../read-state/is-read';
import {
  stretched,
  type UnreadBounds,
  type UnreadParameters,
  unreadBesideStretches,
  unreadStretches,
} from '../read-state/unread.sql';
import { ONWARD, Query, type Range, type Search } from './search-query.sql';
import { nextOfSources, partsOf, type Sources, sourceTables } from './sources.sql';

/** The factor by which a step may span more ids than the one before; where many are wanted, reading too many costs more than further steps. */
const WIDENING = 8;
const CAREFUL_WIDENING = 2;
export const MANY_WANTED = 500;
/** A step spans more than estimated, so that another one is rarely needed. */
const MARGIN = 1.25;

/** The messages to walk along, as SQL. */
interface Way {
  /** Tables for the statement: `name as (…)`. */
  tables?: readonly string[];
  /** A query for `from_id` and `end_id`, where the messages begin and end in the direction; null without any. */
  edges: string;
  /** A query for `id` and `is_meant` of each message with an id between two that are SQL themselves, both included. */
  messagesBetween(lowId: string, highId: string): string;
  /** A query for the id of the next message, from an id on. */
  nextFrom(id: string): string;
  /** A query for the `id` of matching messages outside of the walk. */
  beside?: string;
}

interface Pace {
  /** Number of ids that the first step spans. */
  firstSpan: number;
  /** Number of messages after which the walk is given up. */
  mostScanned: number;
}

export interface Progress {
  ids: number[];
  isDone: boolean;
  /** Where to continue, unless it is done. */
  next: Range;
}

/** `nextId` is null if there are no messages to walk along. */
const STEPS = { ids: z.array(z.number()), isDone: z.boolean(), nextId: z.number().nullable() };

/**
 * Reads messages in the order of their ids, in one statement: in steps that span as many ids as the previous steps suggest, so
 * few messages are read beyond the matches. Given up after reading more than another way would cost.
 */
async function walk(sql: Sql, query: Query, way: Way, { firstSpan, mostScanned }: Pace): Promise<Progress> {
  const span = query.bind(firstSpan, 'bigint');
  const most = query.bind(Number.isFinite(mostScanned) ? Math.ceil(mostScanned) : null, 'bigint');
  const [row] = await query.run(
    sql,
    `with recursive ${[...(way.tables ?? []), `edge as materialized (${way.edges})`, steps(query, way, span, most)].join(', ')},
     ended as materialized (
       select w.next_id, w.found >= $3::bigint or not ${isBeforeEnd(query)} as is_done
       from step w cross join edge order by w.walked desc limit 1
     )
     select array(select id from (${found(query, way)}) as m order by id ${query.order.sort} limit $3::bigint) as ids,
       coalesce((select is_done from ended), true) as "isDone", (select next_id from ended) as "nextId"`,
    STEPS,
  );
  const { ids, isDone, nextId } = row as z.infer<z.ZodObject<typeof STEPS>>;
  const { range } = query;
  const next = { ...range, fromId: nextId ?? range.fromId, limit: range.limit - ids.length };
  return { ids, isDone: isDone || next.limit === 0, next };
}

function isBeforeEnd({ order }: Query): string {
  return `w.next_id ${ONWARD[order.sort].isBefore} edge.end_id`;
}

const wideningOf = ({ range }: Query) => (range.limit >= MANY_WANTED ? CAREFUL_WIDENING : WIDENING);

/**
 * After a step without messages, the next one begins at the next message. Ids between may be those of other organizations, and messages come in
 * clusters: so a long step is one of many messages that were read in vain, not of ids.
 */
function steps(query: Query, way: Way, span: string, most: string): string {
  const { next, low, high } = ONWARD[query.order.sort];
  const suggested = `ceil(${MARGIN} * ($3::bigint - sum.found) * sum.walked / nullif(sum.found, 0))::bigint`;
  const widening = wideningOf(query);
  const longest = `${span} + (sum.scanned - sum.found) * ${widening}`;
  return `step (next_id, span, walked, scanned, found, ids) as (
      select from_id, ${span}, 0::bigint, 0::bigint, 0::bigint, '{}'::bigint[] from edge where from_id is not null
      union all
      select case when now.scanned = 0 then (${way.nextFrom(next)}) else ${next} end,
        greatest(1, least(w.span * ${widening}, ${suggested}, ${most} * sum.walked / nullif(sum.scanned, 0), ${longest})),
        sum.walked, sum.scanned, sum.found, now.ids
      from step w cross join edge
      cross join lateral (
        select count(*) as scanned, coalesce(array_agg(distinct m.id) filter (where m.is_meant), '{}') as ids
        from (${way.messagesBetween(low, high)}) as m
      ) now
      cross join lateral (
        select w.walked + w.span as walked, w.scanned + now.scanned as scanned, w.found + cardinality(now.ids) as found
      ) sum
      where w.found < $3::bigint and ${isBeforeEnd(query)} and coalesce(w.scanned < ${most}, true)
    )`;
}

/** Matches outside of the walk wait until the walk reaches their ids. */
function found({ order }: Query, { beside }: Way): string {
  const onTheWay = 'select unnest(ids) as id from step';
  if (!beside) return onTheWay;
  const passed = order.sort === 'desc' ? '>' : '<';
  return `${onTheWay} union all
    select beside.id from (${beside}) as beside
    where coalesce((select is_done or beside.id ${passed} next_id from ended), true)`;
}

/** Walks the messages of some channels and conversations, without reading others in between. */
export function walkPlaces(sql: Sql, search: Search, range: Range, places: Sources, pace: Pace): Promise<Progress> {
  const query = new Query(search, range);
  const { order } = query;
  const { firstId } = search.narrow;
  const first = (where: string, sort: string) =>
    `(select id from message where realm_id = $1 and ${where} order by id ${sort} limit 1)`;
  return walk(
    sql,
    query,
    {
      edges: `select ${first(query.isInRange('id'), order.sort)} as from_id, ${first(order.sort === 'desc' && firstId > 0 ? `id >= ${query.firstId}` : 'true', order.back)} as end_id`,
      tables: sourceTables(query, places),
      messagesBetween: (lowId, highId) => placesBetween(query, places, lowId, highId),
      nextFrom: (id) => nextOfSources(query, query, places, id),
    },
    pace,
  );
}

/** Receipt is evaluated last: of most messages it is known by their versions. */
function placesBetween(query: Query, places: Sources, lowId: string, highId: string): string {
  const isMeant = (isReceived: string) =>
    [...query.othersInPlace, `coalesce(${isReceived}, ${query.scope})`].join(' and ');
  return partsOf(query, places, {
    columns: (isReceived) => `m.id, (${isMeant(isReceived)}) is true as is_meant`,
    isInRange: `m.id between ${lowId} and ${highId}`,
    fromId: lowId,
    toId: highId,
    where: 'true',
    // A limit, even an unlimited one, makes PostgreSQL read each source separately, by its index.
    bound: 'offset 0',
    hasTables: true,
  });
}

/** Walks along the reader's unread messages; the index skips read messages and those of others. */
export function walkUnread(sql: Sql, search: Search, range: Range, pace: Pace): Promise<Progress> {
  const query = new Query(search, range, { isUnreadKnown: true });
  const { order, bind } = query;
  const parameters = unreadParametersIn(search, bind);
  const bounds = { [order.unread]: '$2::bigint', ...unreadBoundsOf(search, bind) };
  const besides = { ...bounds, isFound: query.where, nearest: { order: order.sort, limit: '$3::bigint' } };
  const [first, last] = ['min(from_id)', 'max(to_id) - 1'];
  const [from, end] = order.sort === 'asc' ? [first, last] : [last, first];
  return walk(
    sql,
    query,
    {
      tables: [unreadStretches(parameters, bounds)],
      edges: `select ${from} as from_id, ${end} as end_id from stretch where from_id < to_id`,
      messagesBetween: (lowId, highId) =>
        `select unread.id, (${query.whereInPlace}) is true as is_meant
         from (${stretched(parameters, { within: { lowId, highId } })}) as unread
         ${messageOf('unread')}`,
      nextFrom: (id) => nextUnread(parameters, order.sort, id),
      // All of them may be marked by hand: limit what is read.
      beside: `select m.id from (${unreadBesideStretches(parameters, besides)}) as besides ${messageOf('besides')}
         where ${query.where}`,
    },
    pace,
  );
}

/** A query for the id of the next message in a stretch, from an id on. */
function nextUnread(parameters: UnreadParameters, order: 'asc' | 'desc', id: string): string {
  const within =
    order === 'desc' ? { lowId: '0', highId: id } : { lowId: id, highId: `${Number.MAX_SAFE_INTEGER}::bigint` };
  const nextOfEach = stretched(parameters, { within, nearest: { order, limit: '1' } });
  return `select ${order === 'desc' ? 'max' : 'min'}(m.id) from (${nextOfEach}) as m`;
}

/** Looks up each message by its id: `offset 0` keeps the planner from scanning all of them. */
function messageOf(unread: string): string {
  return `cross join lateral (select * from message where realm_id = $1 and id = ${unread}.id offset 0) m`;
}

/** For unread messages in the channels named by a search. */
export function unreadParametersIn({ reader, narrow: { channelIds } }: Search, bind: Bind): UnreadParameters {
  const counted = countedChannelIds(reader);
  return unreadParametersOf(reader, bind, channelIds && counted.filter((id) => channelIds.includes(id)));
}

/** The range of unread messages in the conversations of a search. */
export function unreadBoundsOf({ narrow: { conversations, places } }: Search, bind: Bind): UnreadBounds {
  if (conversations) return { isAmong: isOneOf(idsOf(conversations), bind) };
  if (!places) return {};
  const [channelIds, conversationIds] = [bind(places.channelIds, 'bigint[]'), bind(places.conversationIds, 'bigint[]')];
  return { isInPlace: `(m.channel_id = any(${channelIds}) or m.conversation_id = any(${conversationIds}))` };
}
