import type { ConsumedEvent } from '@parley/shared/bus';
import type { SubscriptionChanged } from '@parley/shared/events';
import type { Context } from '../context';
import { forgetUnreadIn } from './read-state.sql';

/**
 * Whoever leaves a channel has read what is in it, whatever they had marked as unread by hand. While they are out of it that is so
 * without this; it keeps the marks from coming back with them.
 */
export async function forgetLeftChannels(
  ctx: Context,
  events: readonly ConsumedEvent<SubscriptionChanged>[],
): Promise<void> {
  for (const { realmId, payload } of events) {
    const { channelId, unsubscribedIds } = payload;
    if (unsubscribedIds.length > 0) await forgetUnreadIn(ctx.db, realmId, channelId, unsubscribedIds);
  }
}
