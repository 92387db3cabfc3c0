import type { Channel, Subscription } from '@parley/shared/proto';
import { z } from 'zod';
import { channelSchema, publicChannel } from './channel';
import type { ChannelSettings } from './channel-settings';

const notification = z.boolean().nullable().describe('null: as in the account.');

export const subscriptionSchema = channelSchema.extend({
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

/**
 * A channel with what its subscriber has chosen for it. Clients that do not understand null get the account's own values
 * in its place, which are these until accounts have such settings.
 */
export function publicSubscription(
  subscription: Subscription,
  settings: ChannelSettings,
  isNullUnderstood: boolean,
): PublicSubscription {
  const inherited = isNullUnderstood ? null : false;
  return {
    ...publicChannel(subscription.channel as Channel, settings),
    color: subscription.color,
    is_muted: subscription.isMuted,
    in_home_view: !subscription.isMuted,
    pin_to_top: subscription.isPinned,
    desktop_notifications: subscription.desktopNotifications ?? inherited,
    audible_notifications: subscription.audibleNotifications ?? inherited,
    push_notifications: subscription.pushNotifications ?? inherited,
    email_notifications: subscription.emailNotifications ?? inherited,
    wildcard_mentions_notify: subscription.wildcardMentionsNotify ?? (isNullUnderstood ? null : true),
  };
}
