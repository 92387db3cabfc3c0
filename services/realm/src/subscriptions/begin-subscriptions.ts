import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, peersAdded } from '@parley/shared/events';
import { audiencesOf } from '../channels/channel-audience';
import { listSubscriberIds } from '../channels/channel-sight.sql';
import { loadChannels } from '../channels/channels.sql';
import { changedChannels } from './changed-channels';
import type { Beginning } from './plan-subscriptions';
import { ownAdditionEvents, peerEvents, versionEvents } from './subscription-events';
import { openSubscriptions } from './subscription-versions.sql';

/** What subscriptions that begin need to know. */
export interface Start {
  realmId: number;
  beginnings: readonly Beginning[];
  nowMs: number;
  /** False for accounts that nobody has used yet, or until now. */
  tellsThemselves: boolean;
}

/**
 * Subscribes users to channels and returns what is to be announced in the same transaction. The caller holds the channels' rows
 * and names nobody who is subscribed already.
 */
export async function beginSubscriptions(
  tx: Transaction,
  { realmId, beginnings, nowMs, tellsThemselves }: Start,
): Promise<DomainEvent[]> {
  if (beginnings.length === 0) return [];
  const channelIds = [...new Set(beginnings.map(({ channelId }) => channelId))];
  const channels = await loadChannels(tx, realmId, channelIds);
  // As they are before: those who cannot see the channel yet are told of it first.
  const audiences = await audiencesOf(tx, realmId, channels, nowMs);
  const changed = changedChannels(channels, audiences, await openSubscriptions(tx, realmId, beginnings), 1);
  const events: DomainEvent[] = versionEvents(realmId, changed, true);
  if (tellsThemselves) {
    const lists = await listSubscriberIds(tx, realmId, channelIds);
    const subscriberIds = new Map(lists.map(({ channelId, userIds }) => [channelId, userIds]));
    events.push(...ownAdditionEvents(realmId, changed, beginnings, subscriberIds));
  }
  return [...events, ...peerEvents(realmId, changed, peersAdded)];
}
