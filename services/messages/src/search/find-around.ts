import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { GetMessagesRequest, GetMessagesResponse } from '@parley/shared/proto';
import { LIMITS } from '@parley/shared/values';
import { findIdAtTime } from '../messages/id-at-time.sql';
import { loadShownMessages, type ShownMessageRow } from '../messages/shown-message.sql';
import { isNot } from '../narrows/conditions.sql';
import { isMutedByPolicies } from '../narrows/is-muted';
import type { Condition, Narrow } from '../narrows/narrow';
import { findMessages, loadPage, type Range, type Search } from './find-messages';
import { findFirstUnreadInPlaces } from './find-messages.sql';
import type { WantedPage } from './load-page.sql';
import { inTurn } from './page-of-everybody';

/** Anchors from this number on mean the newest message; answers use this number. */
export const NEWEST = 10_000_000_000_000_000;
const OLDEST = 0;

/** Throws if the request gives no valid range. */
export function checkRange({ numBefore, numAfter, includeAnchor, messageIds }: GetMessagesRequest): void {
  if (numBefore < 0) throw new BadRequestError('num_before is too small');
  if (numAfter < 0) throw new BadRequestError('num_after is too small');
  if (!includeAnchor && numBefore > 0 && numAfter > 0) {
    throw new BadRequestError('The anchor can only be excluded at an end of the range');
  }
  if (numBefore + numAfter > LIMITS.messagesPerFetch || messageIds.length > LIMITS.messagesPerFetch) {
    throw new BadRequestError(`Too many messages requested (maximum ${LIMITS.messagesPerFetch}).`);
  }
}

/** The message id of an anchor; null for anchors that must be searched: the first unread message, or the first of a day. */
function fixedAnchor({ anchor, anchorKind }: Pick<GetMessagesRequest, 'anchor' | 'anchorKind'>): number | null {
  if (anchor !== undefined) return Math.min(Math.max(anchor, OLDEST), NEWEST);
  if (anchorKind === 'newest') return NEWEST;
  if (anchorKind === 'oldest') return OLDEST;
  if (anchorKind === 'first_unread' || anchorKind === 'date') return null;
  throw new BadRequestError('Invalid anchor');
}

/** The fixed anchor of a request for later messages only; null for other requests. */
export function anchorOfLater(around: Around): number | null {
  const anchor = fixedAnchor(around);
  const isForward = around.numAfter > 0 && (around.numBefore === 0 || anchor === OLDEST);
  return isForward && anchor !== NEWEST ? anchor : null;
}

/** An anchor and the requested number of messages before and after it. */
type Around = Pick<
  GetMessagesRequest,
  'anchor' | 'anchorKind' | 'anchorDateMs' | 'numBefore' | 'numAfter' | 'includeAnchor'
>;

export interface Found {
  ids: number[];
  range: Omit<GetMessagesResponse, 'messages' | 'messagesJson'>;
}

/** Ids of the messages around an anchor that a reader gets under a narrow, nearest first. */
export async function findAround(ctx: { db: Sql }, around: Around, search: Search): Promise<Found> {
  const anchor = fixedAnchor(around) ?? (await findAnchor(ctx, around, search));
  return findPage(ctx, around, search, wantedPage(around, search, anchor));
}

/** The same, and the messages. */
export async function loadAround(
  ctx: { db: Sql },
  around: Around,
  search: Search,
): Promise<{ found: Found; rows: ShownMessageRow[] }> {
  const { reader, narrow } = search;
  const anchor = fixedAnchor(around) ?? (await findAnchor(ctx, around, search));
  const wanted = wantedPage(around, search, anchor);
  const page = await loadPage(ctx.db, search, wanted);
  if (page) return { found: foundOf(page.ids, around, anchor), rows: page.rows };
  const found = await findPage(ctx, around, search, wanted);
  const rows = await loadShownMessages(ctx.db, reader.realm.id, found.ids, reader.userId, narrow.search !== null);
  return { found, rows };
}

async function findPage(ctx: { db: Sql }, around: Around, search: Search, wanted: WantedPage): Promise<Found> {
  const { anchor, before, after } = wanted;
  const found = await Promise.all(wanted.ranges.map((range) => findMessages(ctx, search, range)));
  // Those of each range are in its direction: the nearest first.
  const ids = found.flat();
  const older = ids.filter((id) => id < anchor).slice(0, before);
  const newer = ids.filter((id) => id > anchor).slice(0, after);
  return foundOf([...(ids.includes(anchor) ? [anchor] : []), ...inTurn(older, newer)], around, anchor);
}

/** What these ids, which are all there are around the anchor up to the requested numbers, say of both ends. */
export function foundOf(ids: number[], { numBefore, numAfter }: Around, anchor: number): Found {
  return {
    ids,
    range: {
      anchor,
      foundAnchor: ids.includes(anchor),
      foundOldest: anchor === OLDEST || ids.filter((id) => id < anchor).length < numBefore,
      foundNewest: anchor === NEWEST || ids.filter((id) => id > anchor).length < numAfter,
    },
  };
}

/**
 * The ranges to search, from the anchor on. The anchor itself is found with one of them: with the newer ones if no older ones are requested.
 */
export function wantedPage(
  { numBefore, numAfter, includeAnchor }: Pick<Around, 'numBefore' | 'numAfter' | 'includeAnchor'>,
  { reader }: Pick<Search, 'reader'>,
  anchor: number,
): WantedPage {
  const before = anchor === OLDEST ? 0 : numBefore;
  const after = anchor === NEWEST ? 0 : numAfter;
  const isWithNewer = includeAnchor && before === 0 && after > 0;
  const isWithOlder = includeAnchor && !isWithNewer;
  const { id: realmId } = reader.realm;
  const ranges: Range[] = [
    { realmId, direction: 'before', fromId: isWithOlder ? anchor : anchor - 1, limit: before + Number(isWithOlder) },
    { realmId, direction: 'after', fromId: isWithNewer ? anchor : anchor + 1, limit: after + Number(isWithNewer) },
  ];
  return { anchor, before, after, ranges: ranges.filter(({ limit }) => limit > 0) };
}

/** The first message that matches the anchor, or the newest end if there is none. */
async function findAnchor(ctx: { db: Sql }, { anchorKind, anchorDateMs }: Around, search: Search) {
  const { id: realmId } = search.reader.realm;
  if (anchorKind === 'first_unread') {
    const isHeard = isNot(isMutedByPolicies(search.reader, search.narrow.namesChannel));
    return (await findFirstUnread(ctx, search, isHeard)) ?? NEWEST;
  }
  // SPEC-GAP: an anchor on a day without messages is not documented. It leads to the next message, as for a reader who scrolls
  // down.
  const fromId = await findIdAtTime(ctx.db, realmId, anchorDateMs ?? 0);
  if (fromId === null) return NEWEST;
  const [firstSince = NEWEST] = await findMessages(ctx, search, { realmId, direction: 'after', fromId, limit: 1 });
  return firstSince;
}

/** The reader's oldest unread message under a narrow; `isHeard` leaves out muted ones, a condition on channels and topics only. */
export async function findFirstUnread(
  ctx: { db: Sql },
  { reader, narrow }: Search,
  isHeard: Condition,
): Promise<number | null> {
  const received: Narrow = { ...narrow, scope: { kind: 'received' } };
  const hasPlacesOnly = !narrow.messageIds && !narrow.lead && narrow.conditions.length === 0;
  if (hasPlacesOnly) return findFirstUnreadInPlaces(ctx.db, { reader, narrow: received }, isHeard);
  const unread = { ...received, isUnread: true, conditions: [...narrow.conditions, isHeard] };
  const first = { realmId: reader.realm.id, direction: 'after', fromId: OLDEST, limit: 1 } as const;
  const [firstId = null] = await findMessages(ctx, { reader, narrow: unread }, first);
  return firstId;
}

/**
 * The range of a page that contains only the messages nearest to the anchor, because the whole page would have been too large.
 */
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

/** Throws if the requested messages are too large for one answer. */
export function requireAllLoaded(ids: readonly number[], rows: readonly { id: number }[]): void {
  if (leftOut(ids, rows).length === 0) return;
  throw new BadRequestError('These messages are too large to be requested together.');
}

/** The ids after the last loaded row; missing ids before it were deleted meanwhile. */
function leftOut(ids: readonly number[], rows: readonly { id: number }[]): number[] {
  const loaded = new Set(rows.map(({ id }) => id));
  return rows.length === 0 ? [] : ids.slice(ids.findLastIndex((id) => loaded.has(id)) + 1);
}
