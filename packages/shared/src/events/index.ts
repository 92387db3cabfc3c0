import { messageSent } from './message-sent';
import { subscriptionChanged } from './subscription-changed';

/** Every domain event there is. */
export const domainEvents = {
  [messageSent.kind]: messageSent,
  [subscriptionChanged.kind]: subscriptionChanged,
};

export type EventKind = keyof typeof domainEvents;

export * from './audience';
export * from './declare-event';
export * from './message-sent';
export * from './subscription-changed';
