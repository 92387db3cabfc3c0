import type { Subscription } from '../proto';
import { publicSubscription } from '../wire';
import { declareEvent } from './declare-event';
import { missedIt, type Returning } from './knows-archived-channels';

export interface AddedSubscription extends Subscription {
  /** Everybody who is subscribed now. */
  subscriberIds: number[];
}

export interface SubscriptionAdded extends Returning {
  /** Users whose subscriptions are alike in everything. */
  userIds: number[];
  subscriptions: AddedSubscription[];
}

/** Users were subscribed to channels. Public event `subscription`, for themselves. */
export const subscriptionAdded = declareEvent<SubscriptionAdded>()('subscription.added', [
  {
    type: 'subscription',
    audience: ({ userIds }) => ({ to: 'users', userIds }),
    isFor: missedIt,
    variant: () => '',
    render: ({ subscriptions }) => ({
      type: 'subscription',
      op: 'add',
      subscriptions: subscriptions.map((subscription) => ({
        ...publicSubscription(subscription),
        subscribers: subscription.subscriberIds,
      })),
    }),
  },
]);
