import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, personJoined } from '@parley/shared/events';
import { lockFirstChannels } from '../channels/channels.sql';
import { beginSubscriptions } from './begin-subscriptions';
import { planSubscriptions } from './plan-subscriptions';

const NO_HISTORY = { records: [], usedColors: [] };

export interface FirstChannels {
  /** Those of them that are archived by now are left out. */
  channelIds: readonly number[];
  includesDefaultChannels: boolean;
}

/** Subscribes a person who is new to their first channels and returns what is to be announced. */
export async function joinFirstChannels(
  tx: Transaction,
  { realmId, userId, nowMs }: { realmId: number; userId: number; nowMs: number },
  wanted: FirstChannels,
): Promise<DomainEvent[]> {
  const channelIds = await lockFirstChannels(tx, realmId, wanted);
  const targets = channelIds.map((channelId) => ({ channelId, color: null }));
  const { joining } = planSubscriptions(targets, [userId], NO_HISTORY);
  const events = await beginSubscriptions(tx, { realmId, beginnings: joining, nowMs, tellsThemselves: false });
  return channelIds.length > 0 ? [...events, personJoined(realmId, { userId, channelIds })] : events;
}
