import type { KnownChannel, Subscription } from '@parley/shared/proto';
import { publicSubscriptionProperties } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { channelList } from '../../wire/channel-list';
import { subscriptionSchema } from '../../wire/subscription';
import { includeSubscribers, shownSubscribers } from './subscription-parameters';

export const listSubscriptions = endpoint({
  method: 'GET',
  path: '/users/me/subscriptions',
  summary: 'Get the channels that the caller is subscribed to',
  auth: 'user',
  parameters: { include_subscribers: includeSubscribers },
  result: z.strictObject({ subscriptions: z.array(subscriptionSchema) }),
  errors: [],
  async handler({ services, sharedState }, { call }, { include_subscribers: wanted }) {
    const shelf = await sharedState.channels(call, shownSubscribers(wanted));
    // Last, so that nothing of a channel is told that was hidden from the caller before.
    const { channels } = await services.realm.listSubscriptions(call, {});
    const ownMembers = ({ subscription }: KnownChannel) => publicSubscriptionProperties(subscription as Subscription);
    return { subscriptions: channelList(channels, shelf.withSubscribers, { includesArchived: false, ownMembers }) };
  },
});
