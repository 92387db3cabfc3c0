import { declareEvent } from './declare-event';
import { seesChannel } from './knows-archived-channels';

export interface SubscriptionPropertyChanged {
  userId: number;
  channelId: number;
  /** Absent: it is not. */
  isArchived?: boolean;
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
      isFor: ({ isArchived = false }, view) => seesChannel({ isArchived }, view),
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
