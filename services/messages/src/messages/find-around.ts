import type { GetMessagesRequest, GetMessagesResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { isNot } from '../narrows/conditions.sql';
import { isMutedFor } from '../narrows/is-muted';
import type { Condition } from '../narrows/narrow';
import { listTopicPolicyPlaces } from '../narrows/topic-policy-places.sql';
import { fixedAnchor, NEWEST, OLDEST } from './anchor';
import { findFirstUnread } from './find-first-unread';
import { findIdAtTime } from './find-id-at-time.sql';
import { findMessages, type Search } from './find-messages';

/** A place among messages, and how many are wanted on either side. */
export type Around = Pick<
  GetMessagesRequest,
  'anchor' | 'anchorKind' | 'anchorDateMs' | 'numBefore' | 'numAfter' | 'includeAnchor'
>;

export interface Found {
  ids: number[];
  range: Omit<GetMessagesResponse, 'messages'>;
}

/** Ids of the messages around an anchor that a reader gets under a narrow, the nearest first. */
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

/** Ids from the anchor on, in both directions. The anchor itself is looked for along with one of them: with nothing older, the newer. */
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

/** The first message that meets what the anchor says, or the newest end when there is none. */
async function findAnchor(ctx: Pick<Context, 'db'>, { anchorKind, anchorDateMs }: Around, search: Search) {
  const { id: realmId } = search.reader.realm;
  if (anchorKind === 'first_unread') {
    return (await findFirstUnread(ctx, search, await loadIsHeard(ctx, search))) ?? NEWEST;
  }
  // SPEC-GAP: what a day without messages leads to is not said. The next one, as a reader who scrolls down would find.
  const fromId = await findIdAtTime(ctx.db, realmId, anchorDateMs ?? 0);
  if (fromId === null) return NEWEST;
  const [firstSince = NEWEST] = await findMessages(ctx, search, { realmId, direction: 'after', fromId, limit: 1 });
  return firstSince;
}

/** What is muted is left out. */
async function loadIsHeard({ db }: Pick<Context, 'db'>, { reader, narrow }: Search): Promise<Condition> {
  const policies = await listTopicPolicyPlaces(db, reader.realm.id, reader.userId);
  return isNot(isMutedFor(reader, policies, narrow.namesChannel));
}
