import type { ConsumedEvent } from '@parley/shared/bus';
import type { MutedUsersChanged } from '@parley/shared/events';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { loadReader } from '../messages/load-reader';
import { findUnreadOf } from './find-unread.sql';
import { MAX_UNREAD } from './mark-unread';
import { markMessages } from './read-state.sql';

/**
 * What comes from somebody whom the reader has muted counts as read without this; it keeps all that from becoming unread when the
 * reader mutes them no more.
 */
export async function readMutedSenders(
  ctx: Context,
  events: readonly ConsumedEvent<MutedUsersChanged>[],
): Promise<void> {
  for (const { realmId, payload } of events) {
    const { userId, mutedUserId, isMuted } = payload;
    if (isMuted) continue;
    const reader = await loadReader(ctx, { ...newCall(), realmId, userId });
    const unreadIds = await findUnreadOf(ctx.db, reader, mutedUserId, MAX_UNREAD);
    if (unreadIds.length > 0) await markMessages(ctx.db, realmId, userId, unreadIds, true);
  }
}
