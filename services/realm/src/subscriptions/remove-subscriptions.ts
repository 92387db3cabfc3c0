import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import type { Context } from '../context';
import { announceGuestSightChange, loadGuestSight } from '../users/guest-sight';
import { endSubscriptions } from './end-subscriptions';
import { holdSubscribers, listSubscriptions, type Pair } from './subscriptions.sql';

export interface Removal {
  realmId: number;
  channelIds: readonly number[];
  userIds: readonly number[];
}

export interface Removed {
  /** User by user, in the order of the channels. */
  removed: Pair[];
  notRemoved: Pair[];
}

/**
 * Unsubscribes every one of the users from every one of the channels, and announces it. Those who see a channel no more are told
 * that it is gone. What they have set for it is kept. Whether the caller may do this has been decided.
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
  const sight = await loadGuestSight(tx, realmId, [...new Set(removed.map(({ userId }) => userId))]);
  const end = { realmId, endings: removed, nowMs: ctx.clock.now(), isForGood: true };
  await announce(tx, ...(await endSubscriptions(tx, end)));
  await announceGuestSightChange(tx, realmId, sight);
  return { removed, notRemoved: pairs.filter((pair) => !active.has(keyOf(pair))) };
}

function keyOf({ channelId, userId }: Pair): string {
  return `${channelId} ${userId}`;
}
