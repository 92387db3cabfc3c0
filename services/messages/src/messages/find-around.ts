import type { GetMessagesRequest, GetMessagesResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { isNot } from '../narrows/conditions.sql';
import { isMutedFor } from '../narrows/is-muted';
import { listTopicPolicyPlaces } from '../narrows/topic-policy-places.sql';
import { fixedAnchor, NEWEST, OLDEST } from './anchor';
import { findIdAtTime } from './find-id-at-time.sql';
import { findMessages, type Range, type Search } from './find-messages';

/** A place among messages, and how many are wanted on either side. */
export type Around = Pick<
  GetMessagesRequest,
  'anchor' | 'anchorKind' | 'anchorDateMs' | 'numBefore' | 'numAfter' | 'includeAnchor'
>;

export interface Found {
  ids: number[];
  range: Omit<GetMessagesResponse, 'messages'>;
}

/** Ids of the messages around an anchor that a reader gets under a narrow, in no order. */
export async function findAround(ctx: Pick<Context, 'db'>, around: Around, search: Search): Promise<Found> {
  const { numBefore, numAfter, includeAnchor } = around;
  const anchor = fixedAnchor(around) ?? (await findAnchor(ctx, around, search));
  const [isOldest, isNewest] = [anchor === OLDEST, anchor === NEWEST];
  const { id: realmId } = search.reader.realm;
  // The anchor itself, if it is to be found, is the first one of the before part.
  const before = isOldest ? 0 : numBefore + Number(includeAnchor);
  const fromId = includeAnchor ? anchor : anchor - 1;
  const [older, newer] = await Promise.all([
    findMessages(ctx, search, { realmId, direction: 'before', fromId, limit: before }),
    findMessages(ctx, search, { realmId, direction: 'after', fromId: anchor + 1, limit: isNewest ? 0 : numAfter }),
  ]);
  const foundAnchor = includeAnchor && older[0] === anchor;
  const olderThanAnchor = older.slice(Number(foundAnchor)).slice(0, numBefore);
  return {
    ids: [...(foundAnchor ? [anchor] : []), ...olderThanAnchor, ...newer],
    range: {
      anchor,
      foundAnchor,
      foundOldest: isOldest || olderThanAnchor.length < numBefore,
      foundNewest: isNewest || newer.length < numAfter,
    },
  };
}

/** The first message that meets what the anchor says, or the newest end when there is none. */
async function findAnchor(ctx: Pick<Context, 'db'>, { anchorKind, anchorDateMs }: Around, search: Search) {
  const { id: realmId } = search.reader.realm;
  const next: Range = { realmId, direction: 'after', fromId: OLDEST, limit: 1 };
  if (anchorKind === 'first_unread') {
    const [firstUnread = NEWEST] = await findMessages(ctx, await unreadOf(ctx, search), next);
    return firstUnread;
  }
  // SPEC-GAP: what a day without messages leads to is not said. The next one, as a reader who scrolls down would find.
  const fromId = await findIdAtTime(ctx.db, realmId, anchorDateMs ?? 0);
  const [firstSince = NEWEST] = fromId === null ? [] : await findMessages(ctx, search, { ...next, fromId });
  return firstSince;
}

/** What is muted is left out. */
async function unreadOf({ db }: Pick<Context, 'db'>, { reader, narrow }: Search): Promise<Search> {
  const policies = await listTopicPolicyPlaces(db, reader.realm.id, reader.userId);
  const isHeard = isNot(isMutedFor(reader, policies, narrow.namesChannel));
  const scope = { kind: 'received' } as const;
  return { reader, narrow: { ...narrow, scope, isUnread: true, conditions: [...narrow.conditions, isHeard] } };
}
