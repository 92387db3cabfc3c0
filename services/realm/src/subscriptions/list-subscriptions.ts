import type { SubscriptionList } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listOwnSubscriptions } from './own-subscriptions.sql';

/** What the caller is subscribed to, without what everybody is told of the channels. */
export async function listSubscriptions(ctx: Context, { realmId, userId }: Caller): Promise<SubscriptionList> {
  const subscriptions = await listOwnSubscriptions(ctx.db, realmId, userId);
  return {
    channels: subscriptions.map(({ channelId, properties }) => ({
      channelId,
      isSubscribed: true,
      subscription: { channel: null, ...properties },
    })),
  };
}
