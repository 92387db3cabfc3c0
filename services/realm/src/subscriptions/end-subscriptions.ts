import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, peersRemoved } from '@parley/shared/events';
import { audiencesOf } from '../channels/channel-audience';
import { loadChannels } from '../channels/channels.sql';
import { changedChannels } from './changed-channels';
import { ownRemovalEvents, peerEvents, versionEvents } from './subscription-events';
import { closeSubscriptions } from './subscription-versions.sql';
import type { Pair } from './subscriptions.sql';

/** What subscriptions that end need to know. */
export interface End {
  realmId: number;
  endings: readonly Pair[];
  nowMs: number;
  /** False: they are suspended with their users, to whom nothing more is told. */
  isForGood: boolean;
}

/**
 * Lets subscriptions end, or rest, and returns what is to be announced in the same transaction. The caller holds the channels'
 * rows.
 */
export async function endSubscriptions(
  tx: Transaction,
  { realmId, endings, nowMs, isForGood }: End,
): Promise<DomainEvent[]> {
  if (endings.length === 0) return [];
  const raised = await closeSubscriptions(tx, realmId, endings, { isForGood });
  const channelIds = raised.map(({ channelId }) => channelId);
  const channels = await loadChannels(tx, realmId, channelIds);
  // As they are afterwards: those who cannot see the channel any more are told so.
  const audiences = await audiencesOf(tx, realmId, channels, nowMs);
  const changed = changedChannels(channels, audiences, raised, 0);
  return [
    ...versionEvents(realmId, changed, false),
    ...(isForGood ? ownRemovalEvents(realmId, changed, endings) : []),
    ...peerEvents(realmId, changed, peersRemoved),
  ];
}
