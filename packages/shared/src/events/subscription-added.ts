import type { Channel, Subscription } from '../proto';
import { effectiveSubscriptionProperties, type InheritedNotifications, publicSubscription } from '../wire';
import { type ClientView, declareEvent } from './declare-event';
import { missedIt, type Returning } from './knows-archived-channels';

export interface AddedSubscription extends Subscription {
  /** Everybody who is subscribed now. */
  subscriberIds: number[];
}

export interface SubscriptionAdded extends Returning {
  /** Users whose subscriptions are alike in everything. */
  userIds: number[];
  subscriptions: AddedSubscription[];
  /** What their accounts have set where the subscriptions say nothing; absent in records of before. */
  inherited?: InheritedNotifications;
}

const channelIdOf = ({ channel }: Subscription) => (channel as Channel).id;
const understandsNull = ({ capabilities }: ClientView) => capabilities.includes('notification_settings_null');

/** Users were subscribed to channels. Public event `subscription`, for themselves. */
export const subscriptionAdded = declareEvent<SubscriptionAdded>()('subscription.added', [
  {
    type: 'subscription',
    audience: ({ userIds }) => ({ to: 'users', userIds }),
    isFor: missedIt,
    variant: (view) => (understandsNull(view) ? 'with null' : ''),
    begunChannelIds: ({ subscriptions }) => subscriptions.map(channelIdOf),
    render: ({ subscriptions, inherited }, view, firstMessageOf) => ({
      type: 'subscription',
      op: 'add',
      subscriptions: subscriptions.map((subscription) => ({
        ...publicSubscription(subscription, firstMessageOf?.(channelIdOf(subscription))),
        ...(inherited && !understandsNull(view) && effectiveSubscriptionProperties(subscription, inherited)),
        subscribers: subscription.subscriberIds,
      })),
    }),
  },
]);
