import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { type Audience, type DomainEvent, peersRemoved } from '@parley/shared/events';
import type { Channel } from '@parley/shared/proto';
import { announceGuestVisibilityChange, loadGuestVisibility } from '../accounts/accessible-users';
import { audiencesOf } from '../channel-access/channel-audience';
import { loadChannels } from '../channel-access/channels.sql';
import type { Context } from '../context';
import { type ChangedChannel, ownRemovalEvents, peerEvents, versionEvents } from './subscription-events';
import { closeSubscriptions, type VersionRaised } from './subscription-versions.sql';
import { holdSubscribers, listSubscriptions, type Pair } from './subscriptions.sql';

interface Removal {
  realmId: number;
  channelIds: readonly number[];
  userIds: readonly number[];
}

interface Removed {
  /** User by user, in the order of the channels. */
  removed: Pair[];
  notRemoved: Pair[];
}

/**
 * Unsubscribes all of the users from all of the channels, and announces it, and the vanished channels to users who no longer see them.
 * Their properties of the channel are kept. The caller has checked permissions.
 */
export async function removeSubscriptions(
  ctx: Context,
  tx: Transaction,
  { realmId, channelIds, userIds }: Removal,
): Promise<Removed> {
  await holdSubscribers(tx, realmId, channelIds);
  const records = await listSubscriptions(tx, realmId, channelIds, userIds);
  const active = new Set(records.filter(({ isActive }) => isActive).map(keyOf));
  const pairs = userIds.flatMap((userId) => channelIds.map((channelId) => ({ channelId, userId })));
  const removed = pairs.filter((pair) => active.has(keyOf(pair)));
  const changedIds = [...new Set(removed.map(({ userId }) => userId))];
  const visibility = await loadGuestVisibility(tx, realmId, changedIds, channelIds);
  const end = { realmId, endings: removed, nowMs: ctx.clock.now(), isForGood: true };
  await announce(tx, ...(await endSubscriptions(tx, end)));
  await announceGuestVisibilityChange(tx, realmId, visibility);
  return { removed, notRemoved: pairs.filter((pair) => !active.has(keyOf(pair))) };
}

function keyOf({ channelId, userId }: Pair): string {
  return `${channelId} ${userId}`;
}

/**
 * Suspends the subscriptions of deactivated users until resumeSubscriptions, and announces it. The caller has locked the users' rows, marked
 * them as inactive, and holds the subscriptions (holdSubscriptionsOf).
 */
export async function suspendSubscriptions(
  ctx: Context,
  tx: Transaction,
  realmId: number,
  endings: readonly Pair[],
): Promise<void> {
  const end = { realmId, endings, nowMs: ctx.clock.now(), isForGood: false };
  await announce(tx, ...(await endSubscriptions(tx, end)));
}

/** Facts for ending subscriptions. */
interface End {
  realmId: number;
  endings: readonly Pair[];
  nowMs: number;
  /** False: suspended with their deactivated users, who get no events. */
  isForGood: boolean;
}

/**
 * Ends or suspends subscriptions and returns the events to announce in the same transaction. The caller has locked the channels' rows.
 */
async function endSubscriptions(tx: Transaction, { realmId, endings, nowMs, isForGood }: End): Promise<DomainEvent[]> {
  if (endings.length === 0) return [];
  const raised = await closeSubscriptions(tx, realmId, endings, { isForGood });
  const channelIds = raised.map(({ channelId }) => channelId);
  const channels = await loadChannels(tx, realmId, channelIds);
  // Audiences after the change: users who no longer see the channel get that.
  const audiences = await audiencesOf(tx, realmId, channels, nowMs);
  const changed = changedChannels(channels, audiences, raised, 0);
  // Those of a deactivated user were suspended before, and nobody sees them end.
  const closed = new Set(
    raised.flatMap(({ channelId, userIds }) => userIds.map((userId) => keyOf({ channelId, userId }))),
  );
  const seen = endings.filter((pair) => closed.has(keyOf(pair)));
  return [
    ...versionEvents(realmId, changed, false),
    ...(isForGood ? ownRemovalEvents(realmId, changed, seen) : []),
    ...peerEvents(realmId, changed, peersRemoved),
  ];
}

/** The channels after the change; `added`: subscribers to add to the loaded count for each user of a change. */
export function changedChannels(
  channels: readonly Channel[],
  audiences: ReadonlyMap<number, Audience>,
  changes: readonly VersionRaised[],
  added: 0 | 1,
): ChangedChannel[] {
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  return changes.map((change) => {
    const { channelId, version, userIds } = change;
    const before = byId.get(channelId) as Channel;
    const subscriberCount = before.subscriberCount + added * userIds.length;
    const channel = { ...before, subscriptionVersion: version, subscriberCount };
    const audience = audiences.get(channelId) as Audience;
    return { channel, change, audience: audience.to === 'subscribers' ? { ...audience, version } : audience };
  });
}
