import { declareEvent } from './declare-event';

export interface SubscriptionChanged {
  channelId: number;
  /** The channel's subscription version that the change led to: it was `version - 1` before. */
  version: number;
  subscribedIds: number[];
  unsubscribedIds: number[];
}

/** A channel's set of subscribers changed. Every events pod advances its own copy of the set by these. */
export const subscriptionChanged = declareEvent<SubscriptionChanged>()('subscription.changed', []);
