import type { Transaction } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import { lockDefaultChannels } from '../channels/channels.sql';
import { beginSubscriptions } from './begin-subscriptions';
import { planSubscriptions } from './plan-subscriptions';

const NO_HISTORY = { records: [], usedColors: [] };

/** Subscribes a person who is new to the organization's default channels and returns what is to be announced. */
export async function joinDefaultChannels(
  tx: Transaction,
  realmId: number,
  userId: number,
  nowMs: number,
): Promise<DomainEvent[]> {
  const channelIds = await lockDefaultChannels(tx, realmId);
  const targets = channelIds.map((channelId) => ({ channelId, color: null }));
  const { joining } = planSubscriptions(targets, [userId], NO_HISTORY);
  return beginSubscriptions(tx, { realmId, beginnings: joining, nowMs, tellsThemselves: false });
}
