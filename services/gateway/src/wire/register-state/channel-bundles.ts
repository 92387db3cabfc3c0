import type { Channel, RegisterState, Subscription } from '@parley/shared/proto';
import { z } from 'zod';
import { channelSchema, type PublicChannel, publicChannel } from '../channel';
import { channelSettings } from '../channel-settings';
import { publicSubscription, subscriptionSchema } from '../subscription';
import { bundle, type RegisterView } from './bundle';

export const subscriptionBundle = bundle({
  type: 'subscription',
  fields: {
    subscriptions: z.array(subscriptionSchema),
    unsubscribed: z.array(subscriptionSchema).describe('Channels once subscribed to that the caller still sees.'),
    never_subscribed: z.array(channelSchema),
  },
  present(state, view) {
    const settingsOf = channelSettings(state.groups);
    const isNullUnderstood = view.capabilities.has('notification_settings_null');
    const present = (list: Subscription[]) =>
      list
        .filter(({ channel }) => isShown(channel as Channel, view))
        .map((item) => publicSubscription(item, settingsOf(item.channel as Channel), isNullUnderstood));
    return {
      subscriptions: present(state.subscriptions),
      unsubscribed: present(state.unsubscribed),
      never_subscribed: presentChannels(state.neverSubscribed, state, view),
    };
  },
});

export const channelBundle = bundle({
  type: 'stream',
  fields: { streams: z.array(channelSchema).describe('Every channel the caller may know of.') },
  present: (state, view) => ({ streams: presentChannels(channelsOf(state), state, view) }),
});

function presentChannels(channels: Channel[], state: RegisterState, view: RegisterView): PublicChannel[] {
  const settingsOf = channelSettings(state.groups);
  return channels
    .filter((channel) => isShown(channel, view))
    .map((channel) => publicChannel(channel, settingsOf(channel)));
}

export const defaultChannelsBundle = bundle({
  type: 'default_streams',
  fields: { realm_default_streams: z.array(z.int()) },
  present: ({ defaultChannelIds }) => ({ realm_default_streams: defaultChannelIds }),
});

function channelsOf({ subscriptions, unsubscribed, neverSubscribed }: RegisterState): Channel[] {
  const channels = [...subscriptions, ...unsubscribed].map(({ channel }) => channel as Channel);
  return [...channels, ...neverSubscribed].sort((a, b) => a.id - b.id);
}

/** Clients that do not know of archived channels are not shown any. */
function isShown({ isArchived }: Channel, { capabilities }: RegisterView): boolean {
  return !isArchived || capabilities.has('archived_channels');
}
