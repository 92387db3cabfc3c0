import type { Channel, Subscription, TopicPolicy } from '../proto';
import { displayTopic, type SettingValue, toSeconds, type UserSettingName } from '../values';
import { publicChannel } from './channels';

/** The API's subscription object: a channel with its subscriber's properties. Null: the account's setting applies. */
export function publicSubscription(subscription: Subscription, firstMessageId?: number | null) {
  return {
    ...publicChannel(subscription.channel as Channel, firstMessageId),
    ...publicSubscriptionProperties(subscription),
  };
}

/** The subscriber's own properties, without the channel. */
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

/** The account's setting that applies if a subscription has no value. */
export const INHERITED_SETTINGS = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  push_notifications: 'enable_stream_push_notifications',
  email_notifications: 'enable_stream_email_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const satisfies Partial<Record<keyof ReturnType<typeof publicSubscriptionProperties>, UserSettingName>>;

/** An account's settings for all channels, by the names of the subscription's properties. */
export type InheritedNotifications = Record<keyof typeof INHERITED_SETTINGS, boolean>;

/** Picks them from an account's settings; `get` returns the effective value. */
export function inheritedNotifications(
  get: (name: UserSettingName) => SettingValue | undefined,
): InheritedNotifications {
  const entries = Object.entries(INHERITED_SETTINGS).map(([name, setting]) => [name, get(setting) === true]);
  return Object.fromEntries(entries) as InheritedNotifications;
}

/** The effective properties, for clients without the capability `notification_settings_null`. Without the channel. */
export function effectiveSubscriptionProperties(subscription: Subscription, inherited: InheritedNotifications) {
  const shown = publicSubscriptionProperties(subscription);
  const names = Object.keys(INHERITED_SETTINGS) as (keyof InheritedNotifications)[];
  const values = names.filter((name) => shown[name] === null).map((name) => [name, inherited[name]]);
  return { ...shown, ...(Object.fromEntries(values) as Partial<InheritedNotifications>) };
}

/** The API's object of a user's policy for a topic; for POST /register and events. */
export function publicTopicPolicy(
  { channelId, topic, policy, updatedAtMs }: Omit<TopicPolicy, 'channelName'>,
  isEmptyTopicUnderstood: boolean,
) {
  return {
    stream_id: channelId,
    topic_name: displayTopic(topic, isEmptyTopicUnderstood),
    last_updated: toSeconds(updatedAtMs),
    visibility_policy: policy,
  };
}

/** A muted topic in the form from before topic policies. */
export function publicMutedTopic(
  { channelName, topic, updatedAtMs }: TopicPolicy,
  isEmptyTopicUnderstood: boolean,
): [string, string, number] {
  return [channelName, displayTopic(topic, isEmptyTopicUnderstood), toSeconds(updatedAtMs)];
}
