import type { ListSubscriptionsRequest, SubscriptionList } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { listSubscriberIds } from '../channels/channel-sight.sql';
import { completeChannel } from '../channels/complete-channel';
import type { Context } from '../context';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { listOwnSubscriptions } from './own-subscriptions.sql';

/** What the caller is subscribed to and, if asked for, who else is: in as many statements whatever the number. */
export async function listSubscriptions(
  ctx: Context,
  { realmId, userId }: Caller,
  { includesSubscribers }: ListSubscriptionsRequest,
): Promise<SubscriptionList> {
  const systemGroupIds = await findSystemGroupIds(ctx.db, realmId);
  const rows = await listOwnSubscriptions(ctx.db, realmId, userId);
  const channelIds = rows.map(({ channel }) => channel.id);
  return {
    subscriptions: rows.map(({ channel, properties }) => ({
      channel: completeChannel(channel, systemGroupIds),
      ...properties,
    })),
    subscribers: includesSubscribers ? await listSubscriberIds(ctx.db, realmId, channelIds) : [],
  };
}
