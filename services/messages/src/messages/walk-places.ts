import type { Context } from '../context';
import { hasIdBetween } from '../narrows/conditions.sql';
import { findEndId } from './find-end-id.sql';
import type { Progress } from './find-messages';
import { findInSources, type Range, type Search, type Sources } from './find-messages.sql';

/** How many ids the first step spans, and the factor by which the next one is longer. */
const FIRST_SPAN = 65_536;
const WIDENING = 8;
/** One message that an index leads to costs as much as a step over so many ids. */
const IDS_PER_HIT = 8;

/**
 * Goes through the messages of some channels and conversations in the order of their ids, in steps that span more and more ids: what
 * others write in between is not looked at. Given up once the steps span far more than the messages that an index would lead to.
 */
export async function walkPlaces(
  { db }: Pick<Context, 'db'>,
  search: Search,
  range: Range,
  places: Sources,
  hits: number,
): Promise<Progress> {
  const { realmId, direction, limit } = range;
  const endId = await findEndId(db, realmId, direction);
  const ids: number[] = [];
  let next = range;
  for (let span = FIRST_SPAN; span <= IDS_PER_HIT * hits; span *= WIDENING) {
    const toId = next.fromId + (direction === 'before' ? 1 - span : span - 1);
    ids.push(...(await findInSources(db, upTo(search, next.fromId, toId), next, places)));
    const isDone = ids.length === limit || (direction === 'before' ? toId <= endId : toId >= endId);
    if (isDone) return { ids, isDone, next };
    next = { ...range, fromId: direction === 'before' ? toId - 1 : toId + 1, limit: limit - ids.length };
  }
  return { ids, isDone: false, next };
}

function upTo({ reader, narrow }: Search, fromId: number, toId: number): Search {
  const isWithin = hasIdBetween(Math.min(fromId, toId), Math.max(fromId, toId));
  return { reader, narrow: { ...narrow, conditions: [...narrow.conditions, isWithin] } };
}
