import { CHANNEL_PERMISSION_SETTINGS, type ChannelPermissionName } from '@parley/shared/access';
import type { Channel, ChannelActivity, ChannelSubscribers, Subscription, UserSetting } from '@parley/shared/proto';
import { settingValueOf } from '@parley/shared/values';
import {
  effectiveSubscriptionProperties,
  type InheritedNotifications,
  inheritedNotifications,
  publicChannel,
  publicSubscription,
} from '@parley/shared/wire';
import { z } from 'zod';
import { groupSettingSchema } from './groups';

/** The permission settings of a channel, in the order of parameters and answers. */
export const CHANNEL_PERMISSION_NAMES = Object.keys(CHANNEL_PERMISSION_SETTINGS) as ChannelPermissionName[];

const settingsShape = Object.fromEntries(CHANNEL_PERMISSION_NAMES.map((name) => [name, groupSettingSchema])) as Record<
  ChannelPermissionName,
  typeof groupSettingSchema
>;

export const topicsPolicySchema = z.enum(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']);

export const channelSchema = z.strictObject({
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: z.int(),
  creator_id: z.int().nullable(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  is_archived: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  message_retention_days: z.int().nullable().describe('null: as the organization; -1: for ever.'),
  topics_policy: topicsPolicySchema,
  folder_id: z.int().nullable(),
  subscriber_count: z.int(),
  stream_weekly_traffic: z.int().nullable().describe('null: not counted.'),
  first_message_id: z.int().nullable().describe('null: it has no messages.'),
  is_recently_active: z.boolean(),
  stream_post_policy: z.int().describe('Deprecated; derived from can_send_message_group.'),
  is_announcement_only: z.boolean().describe('Deprecated; derived from can_send_message_group.'),
  ...settingsShape,
});

export type PublicChannel = z.infer<typeof channelSchema>;

/** A channel for users who can see it. */
export function shownChannel(channel: Channel, firstMessageOf: FirstMessageOf): PublicChannel {
  return publicChannel(channel, firstMessageOf(channel)) as PublicChannel;
}

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

type PublicSubscription = z.infer<typeof subscriptionSchema>;

/** A channel with its subscriber's properties. */
export function shownSubscription(subscription: Subscription, firstMessageOf: FirstMessageOf): PublicSubscription {
  return publicSubscription(subscription, firstMessageOf(subscription.channel as Channel)) as PublicSubscription;
}

/** The effective subscription, for clients without support for inherited values. */
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

/** An account's settings for all channels; null: the client supports inherited values. */
export function inheritedBy(
  accountSettings: readonly UserSetting[],
  capabilities: ReadonlySet<string>,
): InheritedNotifications | null {
  if (capabilities.has('notification_settings_null')) return null;
  const values = new Map(accountSettings.map((setting) => [setting.name, settingValueOf(setting)]));
  return inheritedNotifications((name) => values.get(name));
}

type WithSubscribers = <Shown extends { stream_id: number }>(shown: Shown) => Shown & { subscribers?: number[] };

/** Adds subscribers to channels; null: not requested. */
export function subscribersAdded(lists: readonly ChannelSubscribers[] | null): WithSubscribers {
  if (lists === null) return (shown) => shown;
  const userIdsOf = new Map(lists.map(({ channelId, userIds }) => [channelId, userIds]));
  return (shown) => ({ ...shown, subscribers: userIdsOf.get(shown.stream_id) ?? [] });
}

export const channelFolderSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  order: z.int().describe('Folders with lower numbers come first.'),
  date_created: z.int().nullable(),
  creator_id: z.int().nullable(),
  is_archived: z.boolean(),
});

export const defaultChannelGroupSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  streams: z.array(z.int()),
});

/** The id of a channel's first message; null: it has none. */
export type FirstMessageOf = (channel: { id: number }) => number | null;

/** The first messages from the messages service's answer, which omits channels without messages. */
export function firstMessagesOf(activities: readonly ChannelActivity[]): FirstMessageOf {
  const byChannel = new Map(activities.map(({ channelId, firstMessageId }) => [channelId, firstMessageId]));
  return ({ id }) => byChannel.get(id) ?? null;
}
