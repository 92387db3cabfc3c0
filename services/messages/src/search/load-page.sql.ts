import type { Sql } from '@parley/shared/db';
import { z } from 'zod';
import type { Reader } from '../access/permissions';
import { MAX_BYTES, SHOWN_ROW, type ShownMessageRow, shownMessages, shownOf } from '../messages/shown-message.sql';
import { EVERYTHING } from '../narrows/narrow';
import { ONWARD, Query, type Range, roughLimit, type Search, type Side } from './search-query.sql';
import { nearestMeant, nextOfSources, partsOf, type SourceQuery, type Sources, sourceTables } from './sources.sql';

/**
 * The number of ids that the first step through everybody's messages spans at least, per requested one; the factor by which the next
 * step may be longer; the longest step. Messages come in clusters: beyond the others' messages of a week, a long step would read thousands.
 */
const STEP_ROWS_PER_WANTED = 6;
const WIDENING = 8;
const LONGEST_STEP = 16 * STEP_ROWS_PER_WANTED;
/** A step is longer than estimated, so that another one is rarely needed. */
const MARGIN = 1.25;

/** The number of ids per message in the last page that steps led to, by the reader's channels: the next page mostly is beside it. */
const SPREAD = new WeakMap<Reader['channels'], number>();

const PAGE_ROW = {
  ...SHOWN_ROW,
  /** Both with the first row only. */
  foundIds: z.array(z.number()).nullable(),
  isComplete: z.boolean().nullable(),
};

/** The request of a search: messages on both sides of an anchor, without it, and the anchor if one of the ranges includes it. */
export interface WantedPage {
  anchor: number;
  before: number;
  after: number;
  /** One or two, in different directions. */
  ranges: readonly Range[];
}

export interface LoadedPage {
  /** The nearest to the anchor first. */
  ids: number[];
  /** Ascending; of large messages those nearest to the anchor. */
  rows: ShownMessageRow[];
}

/** How the messages of one side are found. */
interface Way {
  tables: readonly string[];
  /** A query for their `id`. */
  ids: string;
  /** SQL: whether these are all requested ones. */
  isComplete: string;
}

/** Finds the messages of a page in few sources, and loads them: one statement. */
export async function loadPageOfFew(
  sql: Sql,
  search: Search,
  wanted: WantedPage,
  sources: Sources,
): Promise<LoadedPage> {
  const { page } = await load(sql, search, wanted, (query, side, { limit }) => ({
    tables: [],
    ids: nearestMeant(query, sources, { side, limit: roughLimit(limit) }),
    isComplete: 'true',
  }));
  return page;
}

/**
 * The same in the channels and conversations of a reader, by steps through all of them. First by a smaller statement, which knows only what was sent
 * to subscribers; where that does not suffice, by one with all rules.
 */
export async function loadPageBySteps(
  sql: Sql,
  search: Search,
  wanted: WantedPage,
  sources: Sources,
): Promise<LoadedPage> {
  const { channels } = search.reader;
  const hasTwoSides = wanted.ranges.length > 1;
  // PostgreSQL refuses a parameter that the statement does not use.
  const isExact = hasTwoSides && sources.receivedSince !== undefined;
  const longest = hasTwoSides ? LONGEST_STEP : STEP_ROWS_PER_WANTED * WIDENING;
  const firstStep = Math.min(Math.max(STEP_ROWS_PER_WANTED, MARGIN * (SPREAD.get(channels) ?? 0)), longest);
  const firstStepTo = Math.floor(wanted.anchor - firstStep * wanted.before);
  const loadBy = (stepsOf: StepsOf) =>
    load(
      sql,
      search,
      wanted,
      // From an end, the first step mostly suffices, and where the reader joined each channel need not be known.
      (query, side, range) =>
        stepsThrough(query, side, range, sources, {
          ...stepsOf(query, side, sources),
          firstSpan: query.bind(Math.ceil(firstStep * range.limit), 'bigint'),
          isShort: hasTwoSides ? undefined : 'w.walked = 0',
        }),
      (query) => sourceTables(query, sources, isExact ? query.bind(firstStepTo, 'bigint') : undefined),
    );
  const plain = sources.receivedSince ? await loadBy(plainSteps(hasTwoSides)) : null;
  const { page } = plain?.isComplete ? plain : await loadBy(anySteps);
  const [first, last] = [page.rows[0], page.rows.at(-1)];
  if (first && last && first !== last) SPREAD.set(channels, (last.id - first.id) / (page.rows.length - 1));
  return page;
}

/** Loads everybody's messages on both sides of the anchor, as the reader would see them, who may not see all of them. */
export async function loadNearest(sql: Sql, reader: Reader, wanted: WantedPage): Promise<LoadedPage> {
  const { page } = await load(sql, { reader, narrow: EVERYTHING }, wanted, (_query, { isInRange, order, limit }) => ({
    tables: [],
    ids: `select id from message where realm_id = $1 and ${isInRange('id')} order by id ${order.sort} limit ${limit}`,
    isComplete: 'true',
  }));
  return page;
}

async function load(
  sql: Sql,
  search: Search,
  { anchor, before, after, ranges: [first, second] }: WantedPage,
  wayOf: (query: Query, side: Side, range: Range) => Way,
  tablesOf: (query: Query) => string[] = () => [],
): Promise<{ page: LoadedPage; isComplete: boolean }> {
  const query = new Query(search, first as Range);
  const bindNumber = (value: number) => query.bind(value, 'bigint');
  const anchorId = bindNumber(anchor);
  const sideOf = (side: Side, range: Range) => {
    const { tables, ids, isComplete } = wayOf(query, side, range);
    const { sort } = side.order;
    const most = bindNumber(range.direction === 'before' ? before : after);
    const found = `(select id, place from (
        select m.id, count(*) filter (where m.id <> ${anchorId}) over (order by m.id ${sort}) as place
        from (select id from (${ids}) as m order by id ${sort} limit ${side.limit}) as m
      ) as m where place <= ${most})`;
    return { tables, found, isComplete };
  };
  const shared = tablesOf(query);
  const sides = [sideOf(query, first as Range), ...(second ? [sideOf(query.sideOf(second), second)] : [])];
  // The older of two equally near messages comes first.
  const found = `found as materialized (select array(
      select id from (${sides.map((side) => side.found).join(' union all ')}) as m order by place, id) as ids)`;
  const foundIds = '(select ids from found)';
  const parameters = {
    messageIds: `${foundIds}::bigint[]`,
    readerId: bindNumber(search.reader.userId),
    mostBytes: bindNumber(MAX_BYTES),
  };
  const isComplete = sides.map((side) => side.isComplete).join(' and ');
  const tables = [...shared, ...sides.flatMap((side) => side.tables), found];
  const rows = await query.run(sql, shownMessages(parameters, tables, { foundIds, isComplete }), PAGE_ROW);
  const [row] = rows;
  return { page: { ids: row?.foundIds ?? [], rows: shownOf(rows) }, isComplete: row?.isComplete ?? false };
}

/** Of a message `m`: what decides on receipt, by an index alone. */
const columnsOfStep = (isReceived: string) =>
  `m.id, m.conversation_id, m.channel_id, m.sent_channel_id, m.sent_version, m.moved_version, ${isReceived} as is_received`;

/** How a walk decides which messages a reader received, and what it does in a stretch without any; SQL. */
interface Steps {
  /** A condition on `m`, next to `m.is_received`. */
  isMeant: string;
  /** Whether the messages read by a step do not suffice to say which are meant; an aggregate. */
  isUnclear: string;
  /** The id with which the next step begins. */
  nextId: string;
  /** Whether the walk goes on after step `w`. */
  goesOn: string;
  /** Whether the walk, a table of that name, has found what is asked for. */
  isComplete(walk: string): string;
}

type StepsOf = (query: Query, side: Side, sources: Sources) => Steps;

/**
 * Gives up at a message that may have been received in another way than being sent to a subscriber, and, unless it skips silences, after a long
 * step without any.
 */
const plainSteps =
  (skipsSilences: boolean): StepsOf =>
  (query, side, sources) => {
    const { limit, order } = side;
    const { next, isBefore } = ONWARD[order.sort];
    const mostInVain = `${(1 + WIDENING) * STEP_ROWS_PER_WANTED} * ${limit}`;
    return {
      isMeant: 'm.is_received',
      isUnclear: 'coalesce(bool_or(m.is_received is null), false)',
      nextId: skipsSilences ? afterSilence(query, side, sources) : next,
      goesOn: `not w.is_unclear${skipsSilences ? '' : ` and (cardinality(w.ids) > 0 or w.walked <= ${mostInVain})`}`,
      isComplete: (walk) =>
        `(select not bool_or(is_unclear) and bool_or(found >= ${limit} or (next_id ${isBefore} end_id) is not true) from ${walk})`,
    };
  };

const anySteps: StepsOf = (query, side, sources) => ({
  isMeant: `coalesce(m.is_received, ${query.scope})`,
  isUnclear: 'false',
  nextId: afterSilence(query, side, sources),
  goesOn: 'true',
  isComplete: () => 'true',
});

/** After a step without any, the next one begins at the next message of a source: others may have sent many in between. Null: there is none. */
function afterSilence(query: Query, side: Side, sources: Sources): string {
  const { next } = ONWARD[side.order.sort];
  return `case when now.ids = '{}' then (${nextOfSources(query, side, sources, next)}) else ${next} end`;
}

/** Walks along the sources, in steps that span as many ids as the previous steps suggest. */
function stepsThrough(
  query: Query,
  side: Side,
  { direction, limit }: Range,
  sources: Sources,
  steps: Steps & Pick<SourceQuery, 'isShort'> & { firstSpan: string },
): Way {
  const { sort, back } = side.order;
  const { low, high, nearEnd, isBefore } = ONWARD[sort];
  const endOf = (order: string) => `(select id from message where realm_id = $1 order by id ${order} limit 1)`;
  const suggested = `ceil(${MARGIN} * (${side.limit} - sum.found) * sum.walked / nullif(sum.found, 0))::bigint`;
  const parts = partsOf(query, sources, {
    columns: columnsOfStep,
    isInRange: `m.id between ${low} and ${high}`,
    fromId: low,
    toId: high,
    where: 'true',
    // A limit, even an unlimited one, makes PostgreSQL read each source separately, by its index.
    bound: 'offset 0',
    hasTables: true,
    isShort: steps.isShort,
  });
  const table = `${direction} (next_id, span, walked, found, ids, end_id, is_unclear) as (
      select ${nearEnd}(${side.fromId}::bigint, ${endOf(sort)}), ${steps.firstSpan}, 0::bigint, 0::bigint, '{}'::bigint[], ${endOf(back)}, false
      union all
      select ${steps.nextId}, greatest(1, least(w.span * ${WIDENING}, ${suggested}, ${query.bind(LONGEST_STEP * limit, 'bigint')})), sum.walked, sum.found, now.ids, w.end_id, now.is_unclear
      from ${direction} w cross join lateral (
        select coalesce(array_agg(distinct m.id) filter (where ${[steps.isMeant, ...query.othersInPlace].join(' and ')}), '{}') as ids, ${steps.isUnclear} as is_unclear
        from (${parts}) as m
      ) now cross join lateral (
        select w.walked + w.span as walked, w.found + cardinality(now.ids) as found
      ) sum
      where w.found < ${side.limit} and w.next_id ${isBefore} w.end_id and ${steps.goesOn}
    )`;
  return {
    tables: [table],
    ids: `select unnest(ids) as id from ${direction}`,
    isComplete: steps.isComplete(direction),
  };
}
