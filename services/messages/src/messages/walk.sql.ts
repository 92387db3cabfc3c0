import type { Sql } from '@parley/shared/db';
import type { Query, Range } from './search-query.sql';

/** The factor by which a step may span more ids than the one before. */
const WIDENING = 8;
/** A step spans more than what seems to be needed, so that the next one is seldom. */
const MARGIN = 1.25;

/** What is walked through, as SQL. */
export interface Way {
  /** Tables for the statement: `name as (…)`. */
  tables?: readonly string[];
  /** A query for `from_id` and `end_id`, where the messages begin and end in the direction; null without any. */
  edges: string;
  /** A query for `id` and `is_meant` of each message with an id between two that are SQL themselves, both included. */
  messagesBetween(lowId: string, highId: string): string;
  /** A query for the `id` of what is meant and not on the way. */
  beside?: string;
}

export interface Pace {
  /** How many ids the first step spans. */
  firstSpan: number;
  /** When so many messages were looked at, the walk is given up. */
  mostScanned: number;
}

export interface Progress {
  ids: number[];
  isDone: boolean;
  /** Where to go on unless it is done. */
  next: Range;
}

const ONWARD = {
  desc: { next: 'w.next_id - w.span', low: 'w.next_id - w.span + 1', high: 'w.next_id', isBefore: '>=' },
  asc: { next: 'w.next_id + w.span', low: 'w.next_id', high: 'w.next_id + w.span - 1', isBefore: '<=' },
} as const;

/**
 * Goes through messages in the order of their ids, all in one statement: in steps that span as many ids as those before suggest, so
 * that little is looked at beyond what is wanted. Given up once it has looked at more than another way would cost.
 */
export async function walk(sql: Sql, query: Query, way: Way, { firstSpan, mostScanned }: Pace): Promise<Progress> {
  const span = query.bind(firstSpan, 'bigint');
  const most = query.bind(Number.isFinite(mostScanned) ? Math.ceil(mostScanned) : null, 'bigint');
  const [row] = await query.run<{ ids: number[]; isDone: boolean; nextId: number }>(
    sql,
    `with recursive ${[...(way.tables ?? []), `edge as materialized (${way.edges})`, steps(query, way, span, most)].join(', ')},
     ended as materialized (
       select w.next_id, w.found >= $3::bigint or not ${isBeforeEnd(query)} as is_done
       from step w cross join edge order by w.walked desc limit 1
     )
     select array(select id from (${found(query, way)}) as m order by id ${query.order.sort} limit $3::bigint) as ids,
       coalesce((select is_done from ended), true) as "isDone", (select next_id from ended) as "nextId"`,
  );
  const { ids, isDone, nextId } = row as { ids: number[]; isDone: boolean; nextId: number };
  const { range } = query;
  const next = { ...range, fromId: nextId, limit: range.limit - ids.length };
  return { ids, isDone: isDone || next.limit === 0, next };
}

function isBeforeEnd({ order }: Query): string {
  return `w.next_id ${ONWARD[order.sort].isBefore} edge.end_id`;
}

function steps(query: Query, way: Way, span: string, most: string): string {
  const { next, low, high } = ONWARD[query.order.sort];
  const suggested = `ceil(${MARGIN} * ($3::bigint - sum.found) * sum.walked / nullif(sum.found, 0))::bigint`;
  return `step (next_id, span, walked, scanned, found, ids) as (
      select from_id, ${span}, 0::bigint, 0::bigint, 0::bigint, '{}'::bigint[] from edge where from_id is not null
      union all
      select ${next}, greatest(1, least(w.span * ${WIDENING}, ${suggested}, ${most} * sum.walked / nullif(sum.scanned, 0))),
        sum.walked, sum.scanned, sum.found, now.ids
      from step w cross join edge
      cross join lateral (
        select count(*) as scanned, coalesce(array_agg(m.id) filter (where m.is_meant), '{}') as ids
        from (${way.messagesBetween(low, high)}) as m
      ) now
      cross join lateral (
        select w.walked + w.span as walked, w.scanned + now.scanned as scanned, w.found + cardinality(now.ids) as found
      ) sum
      where w.found < $3::bigint and ${isBeforeEnd(query)} and coalesce(w.scanned < ${most}, true)
    )`;
}

/** What lies beside is not told of before the walk has come to it. */
function found({ order }: Query, { beside }: Way): string {
  const onTheWay = 'select unnest(ids) as id from step';
  if (!beside) return onTheWay;
  const passed = order.sort === 'desc' ? '>' : '<';
  return `${onTheWay} union all
    select beside.id from (${beside}) as beside
    where coalesce((select is_done or beside.id ${passed} next_id from ended), true)`;
}
