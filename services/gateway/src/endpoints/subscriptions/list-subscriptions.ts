import type { Channel } from '@parley/shared/proto';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { shownSubscription, subscribersAdded, subscriptionSchema } from '../../wire/subscription';
import { loadActivities } from '../channels/load-activities';
import { areSubscribersIncluded, includeSubscribers } from './subscription-parameters';

export const listSubscriptions = endpoint({
  method: 'GET',
  path: '/users/me/subscriptions',
  summary: 'Get the channels that the caller is subscribed to',
  auth: 'user',
  parameters: { include_subscribers: includeSubscribers },
  result: z.strictObject({ subscriptions: z.array(subscriptionSchema) }),
  errors: [],
  async handler(ctx, { call }, values) {
    const includesSubscribers = areSubscribersIncluded(values);
    const { subscriptions, subscribers } = await ctx.services.realm.listSubscriptions(call, { includesSubscribers });
    const addSubscribers = subscribersAdded(includesSubscribers ? subscribers : null);
    const activityOf = await loadActivities(
      ctx,
      call,
      subscriptions.map(({ channel }) => channel as Channel),
    );
    return { subscriptions: subscriptions.map((item) => addSubscribers(shownSubscription(item, activityOf))) };
  },
});
