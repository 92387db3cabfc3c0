import type { Channel, KnownChannels, RegisterState, Subscription } from '@parley/shared/proto';
import {
  effectiveSubscriptionProperties,
  publicDefaultChannelGroup,
  publicSubscriptionProperties,
} from '@parley/shared/wire';
import { z } from 'zod';
import { channelList, knownChannels, ownChannels } from '../../shared-state/lists-for-caller';
import type { SerializedChannels } from '../../shared-state/serialized-channels';
import {
  channelSchema,
  defaultChannelGroupSchema,
  effectiveSubscription,
  inheritedBy,
  type PublicChannel,
  shownChannel,
  shownSubscription,
  subscribersAdded,
  subscribersShape,
  subscriptionSchema,
} from '../../wire/channels';
import { bundle, type RegisterView, type SharedParts } from './bundle';

export const subscriptionBundle = bundle({
  type: 'subscription',
  fields: {
    subscriptions: z.array(subscriptionSchema),
    unsubscribed: z.array(subscriptionSchema).describe('Channels once subscribed to that the caller still sees.'),
    never_subscribed: z.array(channelSchema.extend(subscribersShape)),
  },
  present(state, view) {
    if (view.shared) return sharedSubscriptions(view.shared, state, view);
    const addSubscribers = subscribersAdded(view.includesSubscribers ? state.channelSubscribers : null);
    const inherited = inheritedBy(state.personal?.settings ?? [], view.capabilities);
    const present = (list: Subscription[]) =>
      list
        .filter(({ channel }) => isShown(channel as Channel, view))
        .map((item) =>
          inherited
            ? effectiveSubscription(item, view.firstMessageOf, inherited)
            : shownSubscription(item, view.firstMessageOf),
        )
        .map(addSubscribers);
    return {
      subscriptions: present(state.subscriptions),
      unsubscribed: present(state.unsubscribed),
      never_subscribed: presentChannels(state.neverSubscribed, view).map(addSubscribers),
    };
  },
});

function sharedSubscriptions(shared: SharedParts, { personal }: RegisterState, { capabilities }: RegisterView) {
  const includesArchived = capabilities.has('archived_channels');
  const inherited = inheritedBy(personal?.settings ?? [], capabilities);
  const present = (subscription: Subscription) =>
    inherited ? effectiveSubscriptionProperties(subscription, inherited) : publicSubscriptionProperties(subscription);
  const { withSubscribers } = shared.channels as SerializedChannels;
  const listOf = (isIn: (group: KnownChannels) => unknown) =>
    channelList(ownChannels(shared.knownChannels.filter(isIn), present), withSubscribers, { includesArchived });
  return {
    subscriptions: listOf(({ isSubscribed }) => isSubscribed),
    unsubscribed: listOf(({ isSubscribed, subscription }) => subscription && !isSubscribed),
    never_subscribed: listOf(({ subscription }) => !subscription),
  };
}

export const channelBundle = bundle({
  type: 'stream',
  fields: { streams: z.array(channelSchema).describe('Every channel the caller may know of.') },
  present(state, view) {
    const { shared, capabilities } = view;
    if (!shared) return { streams: presentChannels(channelsOf(state), view) };
    const serialized = shared.channels as SerializedChannels;
    const includesArchived = capabilities.has('archived_channels');
    return { streams: channelList(knownChannels(shared.knownChannels), serialized.channels, { includesArchived }) };
  },
});

function presentChannels(channels: Channel[], view: RegisterView): PublicChannel[] {
  return channels
    .filter((channel) => isShown(channel, view))
    .map((channel) => shownChannel(channel, view.firstMessageOf));
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

/** Every channel in the state. */
export function channelsOf({
  subscriptions,
  unsubscribed,
  neverSubscribed,
}: Pick<RegisterState, 'subscriptions' | 'unsubscribed' | 'neverSubscribed'>): Channel[] {
  const channels = [...subscriptions, ...unsubscribed].map(({ channel }) => channel as Channel);
  return [...channels, ...neverSubscribed].sort((a, b) => a.id - b.id);
}

/** Clients without support for archived channels do not get them. */
function isShown({ isArchived }: Channel, { capabilities }: RegisterView): boolean {
  return !isArchived || capabilities.has('archived_channels');
}
