import type { Channel, ChannelSubscribers, Subscription, UserSetting } from '@parley/shared/proto';
import { settingValueOf, type UserSettingName } from '@parley/shared/values';
import { publicSubscription, publicSubscriptionProperties } from '@parley/shared/wire';
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

type NotificationName = keyof typeof ACCOUNT_SETTINGS;

/** The setting of the account that holds where a subscription says nothing. */
const ACCOUNT_SETTINGS = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  push_notifications: 'enable_stream_push_notifications',
  email_notifications: 'enable_stream_email_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const satisfies Partial<Record<keyof PublicSubscription, UserSettingName>>;

/** A channel with what its subscriber has set for it. */
export function shownSubscription(subscription: Subscription, firstMessageOf: FirstMessageOf): PublicSubscription {
  return publicSubscription(subscription, firstMessageOf(subscription.channel as Channel)) as PublicSubscription;
}

/** What holds for a subscriber, for clients that do not understand that a subscription may say nothing. */
export function effectiveSubscription(
  subscription: Subscription,
  firstMessageOf: FirstMessageOf,
  accountSettings: readonly UserSetting[],
): PublicSubscription {
  return {
    ...shownSubscription(subscription, firstMessageOf),
    ...effectiveProperties(subscription, accountSettings),
  };
}

/** The same without the channel. */
export function effectiveProperties(subscription: Subscription, accountSettings: readonly UserSetting[]) {
  const shown = publicSubscriptionProperties(subscription);
  const inheritedValues = new Map(accountSettings.map((setting) => [setting.name, settingValueOf(setting)]));
  const inherited = (Object.entries(ACCOUNT_SETTINGS) as [NotificationName, UserSettingName][])
    .filter(([name]) => shown[name] === null)
    .map(([name, setting]) => [name, inheritedValues.get(setting) === true]);
  return { ...shown, ...(Object.fromEntries(inherited) as Partial<Record<NotificationName, boolean>>) };
}

export type WithSubscribers = <Shown extends { stream_id: number }>(shown: Shown) => Shown & { subscribers?: number[] };

/** What adds to channels who is subscribed to them; null: that was not asked for. */
export function subscribersAdded(lists: readonly ChannelSubscribers[] | null): WithSubscribers {
  if (lists === null) return (shown) => shown;
  const userIdsOf = new Map(lists.map(({ channelId, userIds }) => [channelId, userIds]));
  return (shown) => ({ ...shown, subscribers: userIdsOf.get(shown.stream_id) ?? [] });
}
