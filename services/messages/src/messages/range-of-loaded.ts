import { BadRequestError } from '@parley/shared/errors';
import type { Found } from './find-around';

/** The range of a page of which only what is nearest to the anchor was loaded, as all of it would have been too large. */
export function rangeOfLoaded({ ids, range }: Found, rows: readonly { id: number }[]): Found['range'] {
  const { anchor } = range;
  if (anchor === undefined) {
    requireAllLoaded(ids, rows);
    return range;
  }
  const missing = leftOut(ids, rows);
  return {
    ...range,
    foundOldest: range.foundOldest && !missing.some((id) => id < anchor),
    foundNewest: range.foundNewest && !missing.some((id) => id > anchor),
  };
}

/** Throws when messages were named that cannot be answered together. */
export function requireAllLoaded(ids: readonly number[], rows: readonly { id: number }[]): void {
  if (leftOut(ids, rows).length === 0) return;
  throw new BadRequestError('These messages are too large to be requested together.');
}

/** What comes after all that was loaded; others were deleted since they were found. */
function leftOut(ids: readonly number[], rows: readonly { id: number }[]): number[] {
  const loaded = new Set(rows.map(({ id }) => id));
  return rows.length === 0 ? [] : ids.slice(ids.findLastIndex((id) => loaded.has(id)) + 1);
}
