import type { Transaction } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import { lockDefaultChannels } from '../channels/channels.sql';
import { beginSubscriptions } from './begin-subscriptions';
import { pickColor } from './colors';

/** Subscribes a person who is new to the organization's default channels and returns what is to be announced. */
export async function joinDefaultChannels(tx: Transaction, realmId: number, userId: number): Promise<DomainEvent[]> {
  const channelIds = await lockDefaultChannels(tx, realmId);
  const usedColors = new Set<string>();
  const subscriptions = channelIds.map((channelId) => {
    const color = pickColor(usedColors, channelId);
    usedColors.add(color);
    return { channelId, userId, color };
  });
  return beginSubscriptions(tx, realmId, subscriptions);
}
