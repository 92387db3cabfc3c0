import { type ClientView, declareEvent } from './declare-event';
import { archivedVariant, seesChannel } from './knows-archived-channels';

export interface LeftChannel {
  id: number;
  name: string;
  /** Absent: it is not. */
  isArchived?: boolean;
}

export interface SubscriptionRemoved {
  userIds: number[];
  channels: LeftChannel[];
}

const isShownTo =
  (view: ClientView) =>
  ({ isArchived = false }: LeftChannel) =>
    seesChannel({ isArchived }, view);

/** Users were unsubscribed from channels. Public event `subscription`, for themselves. */
export const subscriptionRemoved = declareEvent<SubscriptionRemoved>()('subscription.removed', [
  {
    type: 'subscription',
    audience: ({ userIds }) => ({ to: 'users', userIds }),
    isFor: ({ channels }, view) => channels.some(isShownTo(view)),
    variant: archivedVariant,
    render: ({ channels }, view) => ({
      type: 'subscription',
      op: 'remove',
      subscriptions: channels.filter(isShownTo(view)).map(({ id, name }) => ({ stream_id: id, name })),
    }),
  },
]);
