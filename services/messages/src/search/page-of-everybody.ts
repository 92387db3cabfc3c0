import type { Sql } from '@parley/shared/db';
import { isAmongReceived, type OwnPlace, type Reader } from '../access/permissions';
import type { ShownMessageRow } from '../messages/shown-message.sql';
import { type LoadedPage, loadNearest, type WantedPage } from './load-page.sql';
import type { Range, Search } from './search-query.sql';

/** More messages are loaded than estimated, so that another way is rarely needed. */
const MARGIN = 1.25;
/** For readers of a smaller share of all messages, a way along their own channels costs less; measured for 25 of them, and for 500. */
const LEAST_SHARE = 0.4;
const LEAST_SHARE_OF_MANY = 0.15;
const MANY_CHANNELS = 200;
/** The share is measured again after this number of their pages; each time that it is still too small, after more of them, up to a number. */
const FIRST_PAUSE = 16;
const PAUSE_GROWTH = 4;
const LONGEST_PAUSE = 256;

interface Lately {
  /** The share of everybody's messages that was in the reader's last page. */
  share: number;
  /** The number of pages to find in another way first. */
  pagesToSkip: number;
  /** The same after the next look in vain. */
  pause: number;
}

/** By the reader's channels, which are cached: changed subscriptions bring other ones. */
const LATELY = new WeakMap<Reader['channels'], Lately>();

/**
 * Loads everybody's messages around the anchor and keeps those of the search, which costs least for readers who get much of what is sent. Null if
 * these are too few, or were so lately.
 */
export async function loadPageOfEverybody(sql: Sql, search: Search, wanted: WantedPage): Promise<LoadedPage | null> {
  const { channels } = search.reader;
  const lately = LATELY.get(channels) ?? { share: 1, pagesToSkip: 0, pause: FIRST_PAUSE };
  if (lately.pagesToSkip > 0) {
    LATELY.set(channels, { ...lately, pagesToSkip: lately.pagesToSkip - 1 });
    return null;
  }
  const leastShare = channels.size > MANY_CHANNELS ? LEAST_SHARE_OF_MANY : LEAST_SHARE;
  const isDoubtful = lately.share < leastShare;
  // Of many pages at once, one finds out.
  if (isDoubtful) LATELY.set(channels, paused(lately));
  const { page, share } = await lookAround(sql, search, wanted, MARGIN / Math.max(lately.share, leastShare));
  const isWorthIt = share >= leastShare;
  if (isWorthIt) LATELY.set(channels, { share, pagesToSkip: 0, pause: FIRST_PAUSE });
  else if (!isDoubtful) LATELY.set(channels, paused({ ...lately, share }));
  return page;
}

const paused = ({ share, pause }: Lately): Lately => ({
  share,
  pagesToSkip: pause,
  pause: Math.min(PAUSE_GROWTH * pause, LONGEST_PAUSE),
});

/** The page, if that number of messages per requested one suffices for it, and the share of them that is of the search. */
export async function lookAround(
  sql: Sql,
  search: Search,
  wanted: WantedPage,
  perWanted: number,
): Promise<{ page: LoadedPage | null; share: number }> {
  const ranges = wanted.ranges.map((range) => ({ ...range, limit: Math.ceil(perWanted * range.limit) }));
  const most = Math.max(...ranges.map(({ limit }) => limit));
  const { ids, rows } = await loadNearest(sql, search.reader, {
    anchor: wanted.anchor,
    before: most,
    after: most,
    ranges,
  });
  const meant = rows.filter(isMeantBy(search));
  const isComplete = wanted.ranges.every((range, nth) => {
    const isEnd = ids.filter(isIn(range)).length < (ranges[nth] as Range).limit;
    return isEnd || meant.filter(({ id }) => isIn(range)(id)).length >= range.limit;
  });
  // Large messages that do not fit may be those of others.
  const areAllLoaded = rows.length === ids.length;
  return {
    page: isComplete && areAllLoaded ? pageOf(wanted, meant) : null,
    share: rows.length === 0 ? 1 : meant.length / rows.length,
  };
}

const isIn =
  ({ direction, fromId }: Range) =>
  (id: number) =>
    direction === 'before' ? id <= fromId : id >= fromId;

/** NOTE: conditions.sql.ts and scope.sql.ts have the same rules for sets. */
function isMeantBy({ reader, narrow: { scope, channelIds } }: Search): (row: ShownMessageRow) => boolean {
  const isOfHistory = scope.kind === 'history';
  const lists = [channelIds, isOfHistory ? scope.channelIds : undefined];
  const bounds = lists.flatMap((ids) => (ids ? new Set<number | null>(ids) : []));
  return (row) =>
    bounds.every((ids) => ids.has(row.channelId)) && (isOfHistory || isAmongReceived(ownPlaceOf(row), reader));
}

function ownPlaceOf(row: ShownMessageRow): OwnPlace {
  const { channelId, sentChannelId, sentVersion, movedVersion, participantIds } = row;
  const { isHistorical, isGiven } = row.stored;
  return { channelId, sentChannelId, sentVersion, movedVersion, participantIds, isHistorical, isGiven };
}

/** The requested ones of the rows, which are ascending. */
function pageOf({ anchor, before, after }: WantedPage, rows: readonly ShownMessageRow[]): LoadedPage {
  const ids = rows.map(({ id }) => id);
  const older = before === 0 ? [] : ids.filter((id) => id < anchor).slice(-before);
  const newer = ids.filter((id) => id > anchor).slice(0, after);
  const [first, last] = [older[0] ?? anchor, newer.at(-1) ?? anchor];
  return {
    ids: [...(ids.includes(anchor) ? [anchor] : []), ...inTurn(older.toReversed(), newer)],
    rows: rows.filter(({ id }) => first <= id && id <= last),
  };
}

/** The nearest of two lists first; of two equally near ones, the older one. */
export function inTurn(older: readonly number[], newer: readonly number[]): number[] {
  if (older.length === 0 || newer.length === 0) return [...older, ...newer];
  const places = [...older.entries(), ...newer.entries()];
  return places.sort(([a], [b]) => a - b).map(([, id]) => id);
}
