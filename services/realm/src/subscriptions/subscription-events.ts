import { BadRequestError } from '@parley/shared/errors';
import {
  type AddedSubscription,
  type Audience,
  type DomainEvent,
  type LeftChannel,
  type peersAdded,
  type peersRemoved,
  subscriptionAdded,
  subscriptionChanged,
  subscriptionRemoved,
} from '@parley/shared/events';
import type { Channel } from '@parley/shared/proto';
import { groupBy, kinds, memoized } from '@parley/shared/values';
import { appearanceEvents, type ChannelMove, disappearanceEvents, idsOf } from '../channel-access/channel-visibility';
import type { Beginning } from './plan-subscriptions';
import type { VersionRaised } from './subscription-versions.sql';
import type { Pair } from './subscriptions.sql';

/** Approximate number of subscriber ids in one event: a single channel's list is never divided. */
const MAX_SUBSCRIBERS_PER_EVENT = 50_000;

/** Bound of the ids in all events of one change, when users need separate events. */
const MAX_IDS_ANNOUNCED = 5_000_000;

/** A channel whose subscribers have changed. */
export interface ChangedChannel {
  channel: Channel;
  /** Users who may see it, subscribers as of the new version. */
  audience: Audience;
  change: VersionRaised;
}

/** Announces changed subscribers and their versions to the events service. */
export function versionEvents(realmId: number, changed: readonly ChangedChannel[], isSubscribed: boolean) {
  return changed.map(({ change: { channelId, version, userIds } }) => {
    const [subscribedIds, unsubscribedIds] = isSubscribed ? [userIds, []] : [[], userIds];
    return subscriptionChanged(realmId, { channelId, version, subscribedIds, unsubscribedIds });
  });
}

/** Announces changes to other users. Channels with the same change and audience share an event. */
export function peerEvents(
  realmId: number,
  changed: readonly ChangedChannel[],
  declaration: typeof peersAdded | typeof peersRemoved,
): DomainEvent[] {
  const kindOf = kinds();
  const groups = setsOf(changed, ({ audience, change }) => `${kindOf(audience)}:${change.userIds}`);
  return groups.map((group) => {
    const [{ audience, change }] = group as [ChangedChannel];
    const channels = group.map(({ channel }) => channel);
    return declaration(realmId, { ...idsOf(channels), userIds: change.userIds, audience });
  });
}

/** Announces to the users themselves: newly visible channels, then their subscriptions. */
export function ownAdditionEvents(
  realmId: number,
  changed: readonly ChangedChannel[],
  beginnings: readonly Beginning[],
  subscriberIds: ReadonlyMap<number, number[]>,
): DomainEvent[] {
  const added = subscriptionEvents(realmId, changed, beginnings, subscriberIds);
  return [...appearanceEvents(realmId, movesOf(changed)), ...added];
}

/** Announces to the users themselves their subscriptions to visible channels. */
export function subscriptionEvents(
  realmId: number,
  changed: readonly Pick<ChangedChannel, 'channel'>[],
  beginnings: readonly Beginning[],
  subscriberIds: ReadonlyMap<number, number[]>,
): DomainEvent[] {
  const channels = new Map(changed.map(({ channel }) => [channel.id, channel]));
  const alike = alikeUsers(beginnings);
  refuseTooMuch(alike, subscriberIds);
  return alike.flatMap(({ userIds, items }) =>
    inPieces(
      items.map(({ channelId, properties }): AddedSubscription => {
        const channel = channels.get(channelId) as Channel;
        return { channel, ...properties, subscriberIds: subscriberIds.get(channelId) ?? [] };
      }),
    ).map((subscriptions) => subscriptionAdded(realmId, { userIds, subscriptions, ...inheritedIn(items) })),
  );
}

/** Each event lists all subscribers, which bounds the number of users who need separate events. */
function refuseTooMuch(alike: { items: Beginning[] }[], subscriberIds: ReadonlyMap<number, number[]>): void {
  const count = (items: Beginning[]) =>
    items.reduce((sum, { channelId }) => sum + (subscriberIds.get(channelId)?.length ?? 0), 0);
  const idCount = alike.reduce((sum, { items }) => sum + count(items), 0);
  if (alike.length > 1 && idCount > MAX_IDS_ANNOUNCED)
    throw new BadRequestError('Too many subscriptions: subscribe fewer users');
}

/** Announces to the users themselves: their ended subscriptions, then the vanished channels. */
export function ownRemovalEvents(
  realmId: number,
  changed: readonly ChangedChannel[],
  endings: readonly Pair[],
): DomainEvent[] {
  const channels = new Map(changed.map(({ channel }) => [channel.id, channel]));
  const removed = alikeUsers(endings).map(({ userIds, items }) => {
    const left = items.map(({ channelId }) => channels.get(channelId) as Channel);
    return subscriptionRemoved(realmId, { userIds, channels: left.map(leftChannel) });
  });
  return [...removed, ...disappearanceEvents(realmId, movesOf(changed))];
}

/** Equal for all users of an event. */
function inheritedIn([first]: readonly Beginning[]) {
  return first?.inherited && { inherited: first.inherited };
}

function leftChannel({ id, name, isArchived }: Channel): LeftChannel {
  return { id, name, ...(isArchived && { isArchived }) };
}

/** Users with changed subscriptions who do not see the channel otherwise. */
function movesOf(changed: readonly ChangedChannel[]): ChannelMove[] {
  const outsideOf = memoized(isOutside);
  return changed.map(({ channel, audience, change }) => ({
    channel,
    userIds: change.userIds.filter(outsideOf(audience)),
  }));
}

/** Users with equal changes, who share one event. */
function alikeUsers<Item extends Pair & Partial<Beginning>>(
  items: readonly Item[],
): { userIds: number[]; items: Item[] }[] {
  const byUser = setsOf(items, ({ userId }) => userId);
  const kindOf = kinds();
  const changeOf = ({ channelId, properties, inherited }: Item) =>
    `${channelId}:${kindOf(properties)}:${kindOf(inherited)}`;
  return setsOf(byUser, (own) => own.map(changeOf).join()).map((group) => ({
    userIds: group.map(([first]) => (first as Item).userId),
    items: group[0] as Item[],
  }));
}

function inPieces(subscriptions: readonly AddedSubscription[]): AddedSubscription[][] {
  const pieces: AddedSubscription[][] = [];
  let size = 0;
  for (const subscription of subscriptions) {
    size += subscription.subscriberIds.length;
    const piece = pieces.at(-1);
    if (piece && size <= MAX_SUBSCRIBERS_PER_EVENT) {
      piece.push(subscription);
    } else {
      pieces.push([subscription]);
      size = subscription.subscriberIds.length;
    }
  }
  return pieces;
}

function setsOf<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): Item[][] {
  return [...groupBy(items, keyOf).values()];
}

/** Whether users without a subscription may not see the channel. */
function isOutside(audience: Audience): (userId: number) => boolean {
  if (audience.to === 'realm') {
    const exceptIds = new Set(audience.exceptIds);
    return (userId) => exceptIds.has(userId);
  }
  const insideIds = new Set(audience.to === 'users' ? audience.userIds : audience.alsoIds);
  return (userId) => !insideIds.has(userId);
}
