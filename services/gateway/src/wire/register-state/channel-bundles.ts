import type { Channel, RegisterState, Subscription } from '@parley/shared/proto';
import { publicDefaultChannelGroup } from '@parley/shared/wire';
import { z } from 'zod';
import { channelSchema, type PublicChannel, shownChannel } from '../channel';
import { defaultChannelGroupSchema } from '../default-channel-group';
import {
  effectiveSubscription,
  shownSubscription,
  subscribersAdded,
  subscribersShape,
  subscriptionSchema,
} from '../subscription';
import { bundle, type RegisterView } from './bundle';

export const subscriptionBundle = bundle({
  type: 'subscription',
  fields: {
    subscriptions: z.array(subscriptionSchema),
    unsubscribed: z.array(subscriptionSchema).describe('Channels once subscribed to that the caller still sees.'),
    never_subscribed: z.array(channelSchema.extend(subscribersShape)),
  },
  present(state, view) {
    const addSubscribers = subscribersAdded(view.includesSubscribers ? state.channelSubscribers : null);
    const settings = view.capabilities.has('notification_settings_null') ? null : (state.personal?.settings ?? []);
    const present = (list: Subscription[]) =>
      list
        .filter(({ channel }) => isShown(channel as Channel, view))
        .map((item) =>
          settings ? effectiveSubscription(item, view.activityOf, settings) : shownSubscription(item, view.activityOf),
        )
        .map(addSubscribers);
    return {
      subscriptions: present(state.subscriptions),
      unsubscribed: present(state.unsubscribed),
      never_subscribed: presentChannels(state.neverSubscribed, view).map(addSubscribers),
    };
  },
});

export const channelBundle = bundle({
  type: 'stream',
  fields: { streams: z.array(channelSchema).describe('Every channel the caller may know of.') },
  present: (state, view) => ({ streams: presentChannels(channelsOf(state), view) }),
});

function presentChannels(channels: Channel[], view: RegisterView): PublicChannel[] {
  return channels.filter((channel) => isShown(channel, view)).map((channel) => shownChannel(channel, view.activityOf));
}

export const defaultChannelsBundle = bundle({
  type: 'default_streams',
  fields: { realm_default_streams: z.array(z.int()) },
  present: ({ defaultChannelIds }) => ({ realm_default_streams: defaultChannelIds }),
});

export const defaultChannelGroupsBundle = bundle({
  type: 'default_stream_groups',
  fields: { realm_default_stream_groups: z.array(defaultChannelGroupSchema) },
  present: ({ defaultChannelGroups }) => ({
    realm_default_stream_groups: defaultChannelGroups.map(publicDefaultChannelGroup),
  }),
});

/** Every channel that the state tells of. */
export function channelsOf({
  subscriptions,
  unsubscribed,
  neverSubscribed,
}: Pick<RegisterState, 'subscriptions' | 'unsubscribed' | 'neverSubscribed'>): Channel[] {
  const channels = [...subscriptions, ...unsubscribed].map(({ channel }) => channel as Channel);
  return [...channels, ...neverSubscribed].sort((a, b) => a.id - b.id);
}

/** Clients that do not know of archived channels are not shown any. */
function isShown({ isArchived }: Channel, { capabilities }: RegisterView): boolean {
  return !isArchived || capabilities.has('archived_channels');
}
