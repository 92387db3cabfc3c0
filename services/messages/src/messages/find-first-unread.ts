import type { Context } from '../context';
import type { Condition, Narrow } from '../narrows/narrow';
import { OLDEST } from './anchor';
import { findFirstUnreadInPlaces } from './find-first-unread.sql';
import { findMessages, type Search } from './find-messages';

/** The oldest unread message that a reader gets under a narrow, of those in places that are heard: a condition on places alone. */
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
