import type { Channel, ChannelSubscribers, Subscription, UserSetting } from '@parley/shared/proto';
import { settingValueOf } from '@parley/shared/values';
import {
  effectiveSubscriptionProperties,
  type InheritedNotifications,
  inheritedNotifications,
  publicSubscription,
} from '@parley/shared/wire';
import { z } from 'zod';
import { channelSchema } from './channel';
import type { FirstMessageOf } from './first-messages';

const notification = z.boolean().nullable().describe('null: as in the account.');

export const subscribersShape = {
  subscribers: z.array(z.int()).optional().describe('Ids of active users; only if asked for.'),
  partial_subscribers: z
    .array(z.int())
    .optional()
    .describe('Instead, where there are many: all bots and whoever was there within 14 days.'),
};

export const subscriptionSchema = channelSchema.extend({
  ...subscribersShape,
  color: z.string(),
  is_muted: z.boolean(),
  in_home_view: z.boolean().describe('Deprecated; the opposite of is_muted.'),
  pin_to_top: z.boolean(),
  desktop_notifications: notification,
  audible_notifications: notification,
  push_notifications: notification,
  email_notifications: notification,
  wildcard_mentions_notify: notification,
});

export type PublicSubscription = z.infer<typeof subscriptionSchema>;

/** A channel with what its subscriber has set for it. */
export function shownSubscription(subscription: Subscription, firstMessageOf: FirstMessageOf): PublicSubscription {
  return publicSubscription(subscription, firstMessageOf(subscription.channel as Channel)) as PublicSubscription;
}

/** What holds for a subscriber, for clients that do not understand that a subscription may say nothing. */
export function effectiveSubscription(
  subscription: Subscription,
  firstMessageOf: FirstMessageOf,
  inherited: InheritedNotifications,
): PublicSubscription {
  return {
    ...shownSubscription(subscription, firstMessageOf),
    ...effectiveSubscriptionProperties(subscription, inherited),
  };
}

/** What an account has set for all channels; null: the client understands that a subscription may say nothing. */
export function inheritedBy(
  accountSettings: readonly UserSetting[],
  capabilities: ReadonlySet<string>,
): InheritedNotifications | null {
  if (capabilities.has('notification_settings_null')) return null;
  const values = new Map(accountSettings.map((setting) => [setting.name, settingValueOf(setting)]));
  return inheritedNotifications((name) => values.get(name));
}

export type WithSubscribers = <Shown extends { stream_id: number }>(shown: Shown) => Shown & { subscribers?: number[] };

/** What adds to channels who is subscribed to them; null: that was not asked for. */
export function subscribersAdded(lists: readonly ChannelSubscribers[] | null): WithSubscribers {
  if (lists === null) return (shown) => shown;
  const userIdsOf = new Map(lists.map(({ channelId, userIds }) => [channelId, userIds]));
  return (shown) => ({ ...shown, subscribers: userIdsOf.get(shown.stream_id) ?? [] });
}
