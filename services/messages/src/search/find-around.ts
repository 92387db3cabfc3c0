import { BadRequestError } from '@parley/shared/errors';
import type { GetMessagesRequest, GetMessagesResponse } from '@parley/shared/proto';
import { LIMITS } from '@parley/shared/values';
import type { Context } from '../context';
import { isNot } from '../narrows/conditions.sql';
import { isMutedFor } from '../narrows/is-muted';
import type { Condition, Narrow } from '../narrows/narrow';
import { listTopicPolicyPlaces } from '../narrows/scope.sql';
import { findMessages, type Search } from './find-messages';
import { findFirstUnreadInPlaces, findIdAtTime } from './find-messages.sql';

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
export async function findAround(ctx: Pick<Context, 'db'>, around: Around, search: Search): Promise<Found> {
  const { numBefore, numAfter, includeAnchor } = around;
  const anchor = fixedAnchor(around) ?? (await findAnchor(ctx, around, search));
  const [isOldest, isNewest] = [anchor === OLDEST, anchor === NEWEST];
  const [older, newer] = await findBeside(ctx, search, anchor, {
    includeAnchor,
    before: isOldest ? 0 : numBefore,
    after: isNewest ? 0 : numAfter,
  });
  const isAnchor = (id: number) => id === anchor;
  const foundAnchor = older.some(isAnchor) || newer.some(isAnchor);
  const olderThanAnchor = older.filter((id) => id < anchor).slice(0, numBefore);
  const newerThanAnchor = newer.filter((id) => id > anchor).slice(0, numAfter);
  return {
    ids: [...(foundAnchor ? [anchor] : []), ...inTurn(olderThanAnchor, newerThanAnchor)],
    range: {
      anchor,
      foundAnchor,
      foundOldest: isOldest || olderThanAnchor.length < numBefore,
      foundNewest: isNewest || newerThanAnchor.length < numAfter,
    },
  };
}

function inTurn(older: readonly number[], newer: readonly number[]): number[] {
  const places = [...older.entries(), ...newer.entries()];
  return places.sort(([a], [b]) => a - b).map(([, id]) => id);
}

interface Wanted {
  includeAnchor: boolean;
  before: number;
  after: number;
}

/**
 * Ids from the anchor on, in both directions. The anchor itself is found with one of them: with the newer ones if no older ones
 * are requested.
 */
function findBeside(
  ctx: Pick<Context, 'db'>,
  search: Search,
  anchor: number,
  wanted: Wanted,
): Promise<[number[], number[]]> {
  const { id: realmId } = search.reader.realm;
  const { includeAnchor, before, after } = wanted;
  const isWithNewer = includeAnchor && before === 0 && after > 0;
  const isWithOlder = includeAnchor && !isWithNewer;
  const [fromBefore, fromAfter] = [isWithOlder ? anchor : anchor - 1, isWithNewer ? anchor : anchor + 1];
  return Promise.all([
    findMessages(ctx, search, {
      realmId,
      direction: 'before',
      fromId: fromBefore,
      limit: before + Number(isWithOlder),
    }),
    findMessages(ctx, search, { realmId, direction: 'after', fromId: fromAfter, limit: after + Number(isWithNewer) }),
  ]);
}

/** The first message that matches the anchor, or the newest end if there is none. */
async function findAnchor(ctx: Pick<Context, 'db'>, { anchorKind, anchorDateMs }: Around, search: Search) {
  const { id: realmId } = search.reader.realm;
  if (anchorKind === 'first_unread') {
    return (await findFirstUnread(ctx, search, await loadIsHeard(ctx, search))) ?? NEWEST;
  }
  // SPEC-GAP: an anchor on a day without messages is not documented. It leads to the next message, as for a reader who scrolls
  // down.
  const fromId = await findIdAtTime(ctx.db, realmId, anchorDateMs ?? 0);
  if (fromId === null) return NEWEST;
  const [firstSince = NEWEST] = await findMessages(ctx, search, { realmId, direction: 'after', fromId, limit: 1 });
  return firstSince;
}

/** Leaves out muted messages. */
async function loadIsHeard({ db }: Pick<Context, 'db'>, { reader, narrow }: Search): Promise<Condition> {
  const policies = await listTopicPolicyPlaces(db, reader.realm.id, reader.userId);
  return isNot(isMutedFor(reader, policies, narrow.namesChannel));
}

/** The reader's oldest unread message under a narrow whose conditions concern channels and topics only, without muted ones. */
export async function findFirstUnread(
  ctx: Pick<Context, 'db'>,
  { reader, narrow }: Search,
  isHeard: Condition,
): Promise<number | null> {
  const received: Narrow = { ...narrow, scope: { kind: 'received' } };
  const asksForPlacesOnly = !narrow.messageIds && !narrow.lead && narrow.conditions.length === 0;
  if (asksForPlacesOnly) return findFirstUnreadInPlaces(ctx.db, { reader, narrow: received }, isHeard);
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
