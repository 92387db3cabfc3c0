import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, peersAdded, personJoined } from '@parley/shared/events';
import { memoized, USER_SETTING_DEFAULTS } from '@parley/shared/values';
import { INHERITED_SETTINGS, inheritedNotifications } from '@parley/shared/wire';
import { announceGuestVisibilityChange, loadGuestVisibility } from '../accounts/accessible-users';
import { audiencesOf } from '../channel-access/channel-audience';
import { listSubscriberIds } from '../channel-access/channel-visibility.sql';
import { loadChannels, lockFirstChannels } from '../channel-access/channels.sql';
import type { Context } from '../context';
import { changedChannels } from './end-subscriptions';
import { type Beginning, colorChoosers, planSubscriptions } from './plan-subscriptions';
import { ownAdditionEvents, peerEvents, versionEvents } from './subscription-events';
import { openSubscriptions } from './subscription-versions.sql';
import { type ChoicesRow, holdSubscribers, listChoices, listSubscriptions, type Pair } from './subscriptions.sql';

interface Addition {
  realmId: number;
  channelIds: readonly number[];
  /** Active users. */
  userIds: readonly number[];
  /** By channel; default: the user's former colour of that channel, else a new one. */
  colors?: ReadonlyMap<number, string>;
}

interface Added {
  /** User by user, in the order of the channels. */
  subscribed: Pair[];
  alreadySubscribed: Pair[];
}

/**
 * Subscribes all of the users to all of the channels, and announces it; existing subscriptions stay. Users who could not see a channel
 * get it first: the creation of a channel is announced only to users who see it without a subscription. The caller has checked
 * permissions.
 */
export async function addSubscriptions(
  ctx: Context,
  tx: Transaction,
  { realmId, channelIds, userIds, colors = new Map() }: Addition,
): Promise<Added> {
  await holdSubscribers(tx, realmId, channelIds);
  const targets = channelIds.map((channelId) => ({ channelId, color: colors.get(channelId) ?? null }));
  const records = await listSubscriptions(tx, realmId, channelIds, userIds);
  const choices = await listChoices(tx, realmId, userIds, INHERITED_SETTING_NAMES, colorChoosers(userIds));
  const { joining, alreadySubscribed } = planSubscriptions(targets, userIds, { records, usedColors: choices });
  const changedIds = [...new Set(joining.map(({ userId }) => userId))];
  const visibility = await loadGuestVisibility(tx, realmId, changedIds, channelIds);
  const beginnings = withInherited(joining, choices);
  const start = { realmId, beginnings, nowMs: ctx.clock.now(), notifiesUsers: true };
  const events = await beginSubscriptions(tx, start);
  await announceGuestVisibilityChange(tx, realmId, visibility);
  await announce(tx, ...events);
  return { subscribed: joining, alreadySubscribed };
}

const NO_HISTORY = { records: [], usedColors: [] };

export interface FirstChannels {
  /** Archived ones are skipped. */
  channelIds: readonly number[];
  includesDefaultChannels: boolean;
}

/** Subscribes new persons to their first channels and returns the events to announce. */
export async function joinFirstChannels(
  tx: Transaction,
  { realmId, userIds, nowMs }: { realmId: number; userIds: readonly number[]; nowMs: number },
  wanted: FirstChannels,
): Promise<DomainEvent[]> {
  const channelIds = await lockFirstChannels(tx, realmId, wanted);
  const targets = channelIds.map((channelId) => ({ channelId, color: null }));
  const { joining } = planSubscriptions(targets, userIds, NO_HISTORY);
  const events = await beginSubscriptions(tx, { realmId, beginnings: joining, nowMs, notifiesUsers: false });
  if (channelIds.length === 0) return events;
  return [...events, ...userIds.map((userId) => personJoined(realmId, { userId, channelIds }))];
}

/**
 * Resumes the subscriptions of reactivated users, and announces it. The caller has locked the users' rows, marked them as active, and holds
 * the subscriptions (holdSubscriptionsOf).
 */
export async function resumeSubscriptions(
  ctx: Context,
  tx: Transaction,
  realmId: number,
  beginnings: readonly Beginning[],
): Promise<void> {
  // They have no queues yet.
  const start = { realmId, beginnings, nowMs: ctx.clock.now(), notifiesUsers: false };
  await announce(tx, ...(await beginSubscriptions(tx, start)));
}

/** Facts for beginning subscriptions. */
interface Start {
  realmId: number;
  beginnings: readonly Beginning[];
  nowMs: number;
  /** False for accounts without queues: new, or inactive until now. */
  notifiesUsers: boolean;
}

/**
 * Stores subscriptions and returns the events to announce in the same transaction. The caller has locked the channels' rows and names no
 * present subscribers.
 */
async function beginSubscriptions(
  tx: Transaction,
  { realmId, beginnings, nowMs, notifiesUsers }: Start,
): Promise<DomainEvent[]> {
  if (beginnings.length === 0) return [];
  const channelIds = [...new Set(beginnings.map(({ channelId }) => channelId))];
  const channels = await loadChannels(tx, realmId, channelIds);
  // Audiences before the change: users who cannot see the channel yet get it first.
  const audiences = await audiencesOf(tx, realmId, channels, nowMs);
  const changed = changedChannels(channels, audiences, await openSubscriptions(tx, realmId, beginnings), 1);
  const events: DomainEvent[] = versionEvents(realmId, changed, true);
  if (notifiesUsers) {
    const lists = await listSubscriberIds(tx, realmId, channelIds);
    const subscriberIds = new Map(lists.map(({ channelId, userIds }) => [channelId, userIds]));
    events.push(...ownAdditionEvents(realmId, changed, beginnings, subscriberIds));
  }
  return [...events, ...peerEvents(realmId, changed, peersAdded)];
}

/** The account settings that withInherited() needs from listChoices(). */
export const INHERITED_SETTING_NAMES = Object.values(INHERITED_SETTINGS);

/** Adds the accounts' settings to subscriptions, for clients that expect them in place of null. */
export function withInherited(beginnings: readonly Beginning[], choices: readonly ChoicesRow[]): Beginning[] {
  const chosenBy = new Map(choices.map(({ userId, chosen }) => [userId, chosen]));
  const ofUser = memoized((userId: number) => {
    const chosen = chosenBy.get(userId);
    return inheritedNotifications((name) => chosen?.[name] ?? USER_SETTING_DEFAULTS[name]);
  });
  return beginnings.map(({ userId, channelId, properties }) => ({
    ...{ userId, channelId, properties },
    inherited: ofUser(userId),
  }));
}
