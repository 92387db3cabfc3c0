import { declareEvent } from './declare-event';

export interface SubscriptionPropertyChanged {
  userId: number;
  channelId: number;
  /** By its name in the API. */
  property: string;
  value: boolean | string;
}

/** A user has set something for a channel. Public event `subscription`, for themselves. */
export const subscriptionPropertyChanged = declareEvent<SubscriptionPropertyChanged>()(
  'subscription.property-changed',
  [
    {
      type: 'subscription',
      audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
      variant: () => '',
      render: ({ channelId, property, value }) => ({
        type: 'subscription',
        op: 'update',
        stream_id: channelId,
        property,
        value,
      }),
    },
  ],
);
