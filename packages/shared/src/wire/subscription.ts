import type { Channel, Subscription } from '../proto';
import { publicChannel } from './channel';

/** The API's subscription object: a channel with what its subscriber has set for it. Null: as in the account. */
export function publicSubscription(subscription: Subscription, firstMessageId?: number | null) {
  return {
    ...publicChannel(subscription.channel as Channel, firstMessageId),
    ...publicSubscriptionProperties(subscription),
  };
}

/** What its subscriber has set, without the channel. */
export function publicSubscriptionProperties(subscription: Subscription) {
  return {
    color: subscription.color,
    is_muted: subscription.isMuted,
    // Deprecated: the opposite.
    in_home_view: !subscription.isMuted,
    pin_to_top: subscription.isPinned,
    desktop_notifications: subscription.desktopNotifications ?? null,
    audible_notifications: subscription.audibleNotifications ?? null,
    push_notifications: subscription.pushNotifications ?? null,
    email_notifications: subscription.emailNotifications ?? null,
    wildcard_mentions_notify: subscription.wildcardMentionsNotify ?? null,
  };
}
