import type { Channel, Subscription } from '../proto';
import { effectiveSubscriptionProperties, type InheritedNotifications, publicSubscription } from '../wire';
import type { Audience } from './audience';
import { archivedVariant, missedIt, type Returning, seesChannel } from './channels';
import { type ClientView, declareEvent } from './declare-event';

export interface AddedSubscription extends Subscription {
  /** All present subscribers. */
  subscriberIds: number[];
}

export interface SubscriptionAdded extends Returning {
  /** Users with equal properties of the subscription. */
  userIds: number[];
  subscriptions: AddedSubscription[];
  /** The account's settings, for unset properties of the subscription; absent in older records. */
  inherited?: InheritedNotifications;
}

const channelIdOf = ({ channel }: Subscription) => (channel as Channel).id;
const understandsNull = ({ capabilities }: ClientView) => capabilities.includes('notification_settings_null');

/** Users were subscribed to channels. Public event `subscription`, for themselves. */
export const subscriptionAdded = declareEvent<SubscriptionAdded>()('subscription.added', [
  {
    type: 'subscription',
    audience: ({ userIds }) => ({ to: 'users', userIds }),
    isFor: missedIt,
    variant: (view) => (understandsNull(view) ? 'with null' : ''),
    begunChannelIds: ({ subscriptions }) => subscriptions.map(channelIdOf),
    render: ({ subscriptions, inherited }, view, firstMessageOf) => ({
      type: 'subscription',
      op: 'add',
      subscriptions: subscriptions.map((subscription) => ({
        ...publicSubscription(subscription, firstMessageOf?.(channelIdOf(subscription))),
        ...(inherited && !understandsNull(view) && effectiveSubscriptionProperties(subscription, inherited)),
        subscribers: subscription.subscriberIds,
      })),
    }),
  },
]);

export interface LeftChannel {
  id: number;
  name: string;
  /** Absent: it is not. */
  isArchived?: boolean;
}

export interface SubscriptionRemoved {
  userIds: number[];
  channels: LeftChannel[];
}

const isShownTo =
  (view: ClientView) =>
  ({ isArchived = false }: LeftChannel) =>
    seesChannel({ isArchived }, view);

/** Users were unsubscribed from channels. Public event `subscription`, for themselves. */
export const subscriptionRemoved = declareEvent<SubscriptionRemoved>()('subscription.removed', [
  {
    type: 'subscription',
    audience: ({ userIds }) => ({ to: 'users', userIds }),
    isFor: ({ channels }, view) => channels.some(isShownTo(view)),
    variant: archivedVariant,
    render: ({ channels }, view) => ({
      type: 'subscription',
      op: 'remove',
      subscriptions: channels.filter(isShownTo(view)).map(({ id, name }) => ({ stream_id: id, name })),
    }),
  },
]);

export interface SubscriptionPropertyChanged {
  userId: number;
  channelId: number;
  /** Absent: it is not. */
  isArchived?: boolean;
  /** By its name in the API. */
  property: string;
  value: boolean | string;
}

/** A user has changed a property of a subscription. Public event `subscription`, for themselves. */
export const subscriptionPropertyChanged = declareEvent<SubscriptionPropertyChanged>()(
  'subscription.property-changed',
  [
    {
      type: 'subscription',
      audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
      isFor: ({ isArchived = false }, view) => seesChannel({ isArchived }, view),
      variant: () => '',
      render: ({ channelId, property, value }) => ({
        type: 'subscription',
        op: 'update',
        stream_id: channelId,
        property,
        value,
      }),
    },
  ],
);

export interface SubscriptionChanged {
  channelId: number;
  /** The channel's new subscription version; it was `version - 1` before. */
  version: number;
  subscribedIds: number[];
  unsubscribedIds: number[];
}

/** A channel's set of subscribers changed. Every events pod advances its own copy of the set by these events. */
export const subscriptionChanged = declareEvent<SubscriptionChanged>()('subscription.changed', []);

/** Users whose subscriptions to channels are announced to others. */
export interface Peers extends Returning {
  channelIds: number[];
  /** The archived ones among the channels; absent: none. */
  archivedIds?: number[];
  userIds: number[];
  /** All who see the channels, except the users themselves. */
  audience: Audience;
}

/** The channels in a client's event; none: it does not get the event. */
function shownChannelIds(peers: Peers, view: ClientView): number[] {
  if (!missedIt(peers, view)) return [];
  const archivedIds = new Set(peers.archivedIds);
  return peers.channelIds.filter((id) => seesChannel({ isArchived: archivedIds.has(id) }, view));
}

function audienceOfPeers({ userIds, audience }: Peers): Audience {
  if (audience.to !== 'users') return { ...audience, exceptIds: [...(audience.exceptIds ?? []), ...userIds] };
  return { to: 'users', userIds: without(audience.userIds, userIds) };
}

/**
 * The users themselves, if they may still see the channels: they get the event about the others. Empty if there is only one user.
 */
function audienceOfOneAnother({ userIds, audience }: Peers): Audience {
  if (userIds.length < 2) return { to: 'users', userIds: [] };
  if (audience.to === 'realm') return { to: 'users', userIds: without(userIds, audience.exceptIds) };
  const named = new Set(audience.to === 'users' ? audience.userIds : without(audience.alsoIds, audience.exceptIds));
  return { to: 'users', userIds: userIds.filter((userId) => named.has(userId)) };
}

function without(userIds: readonly number[] = [], exceptIds: readonly number[] = []): number[] {
  const left = new Set(exceptIds);
  return userIds.filter((userId) => !left.has(userId));
}

/** Other users were subscribed to channels. Public event `subscription`, for all who see the channels. */
export const peersAdded = declareEvent<Peers>()('peers.added', [
  {
    type: 'subscription',
    audience: audienceOfPeers,
    isFor: (peers, view) => shownChannelIds(peers, view).length > 0,
    variant: archivedVariant,
    render: (peers, view) => ({
      type: 'subscription',
      op: 'peer_add',
      stream_ids: shownChannelIds(peers, view),
      user_ids: peers.userIds,
    }),
  },
]);

/** Other users were unsubscribed from channels. Public event `subscription`, for all who see the channels. */
export const peersRemoved = declareEvent<Peers>()('peers.removed', [
  {
    type: 'subscription',
    audience: audienceOfPeers,
    isFor: (peers, view) => shownChannelIds(peers, view).length > 0,
    variant: archivedVariant,
    render: (peers, view) => ({
      type: 'subscription',
      op: 'peer_remove',
      stream_ids: shownChannelIds(peers, view),
      user_ids: peers.userIds,
    }),
  },
  {
    type: 'subscription',
    audience: audienceOfOneAnother,
    isFor: (peers, view) => shownChannelIds(peers, view).length > 0,
    variant: archivedVariant,
    render: (peers, view) => ({
      type: 'subscription',
      op: 'peer_remove',
      stream_ids: shownChannelIds(peers, view),
    }),
    personal:
      ({ userIds }) =>
      (receiver) => ({ user_ids: userIds.filter((userId) => userId !== receiver.userId) }),
  },
]);
