import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import type { Context } from '../context';
import { announceGuestSightChange, loadGuestSight } from '../users/guest-sight';
import { beginSubscriptions } from './begin-subscriptions';
import { INHERITED_SETTING_NAMES, withInherited } from './inherited-notifications';
import { planSubscriptions } from './plan-subscriptions';
import { holdSubscribers, listChoices, listSubscriptions, type Pair } from './subscriptions.sql';

export interface Addition {
  realmId: number;
  channelIds: readonly number[];
  /** Active users. */
  userIds: readonly number[];
  /** By channel. Where there is none: the user's earlier one for that channel, or else a new one. */
  colors?: ReadonlyMap<number, string>;
}

export interface Added {
  /** User by user, in the order of the channels. */
  subscribed: Pair[];
  alreadySubscribed: Pair[];
}

/**
 * Subscribes every one of the users to every one of the channels, and announces it; who is subscribed stays so. Those who could
 * not see a channel are told of it first: whoever makes a channel tells only those who see it without being subscribed. Whether
 * the caller may do this has been decided.
 */
export async function addSubscriptions(
  ctx: Context,
  tx: Transaction,
  { realmId, channelIds, userIds, colors = new Map() }: Addition,
): Promise<Added> {
  await holdSubscribers(tx, realmId, channelIds);
  const targets = channelIds.map((channelId) => ({ channelId, color: colors.get(channelId) ?? null }));
  const records = await listSubscriptions(tx, realmId, channelIds, userIds);
  const choices = await listChoices(tx, realmId, userIds, INHERITED_SETTING_NAMES);
  const { joining, alreadySubscribed } = planSubscriptions(targets, userIds, { records, usedColors: choices });
  const sight = await loadGuestSight(tx, realmId, [...new Set(joining.map(({ userId }) => userId))]);
  const beginnings = withInherited(joining, choices);
  const start = { realmId, beginnings, nowMs: ctx.clock.now(), tellsThemselves: true };
  const events = await beginSubscriptions(tx, start);
  await announceGuestSightChange(tx, realmId, sight);
  await announce(tx, ...events);
  return { subscribed: joining, alreadySubscribed };
}
