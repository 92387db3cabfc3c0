import { declareEvent } from './declare-event';

export interface SubscriptionRemoved {
  userIds: number[];
  channels: { id: number; name: string }[];
}

/** Users were unsubscribed from channels. Public event `subscription`, for themselves. */
export const subscriptionRemoved = declareEvent<SubscriptionRemoved>()('subscription.removed', [
  {
    type: 'subscription',
    audience: ({ userIds }) => ({ to: 'users', userIds }),
    variant: () => '',
    render: ({ channels }) => ({
      type: 'subscription',
      op: 'remove',
      subscriptions: channels.map(({ id, name }) => ({ stream_id: id, name })),
    }),
  },
]);
