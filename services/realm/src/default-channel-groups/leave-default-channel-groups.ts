import type { Transaction } from '@parley/shared/db';
import { announceDefaultChannelGroups } from './announce-default-channel-groups';
import { deleteChannelFromGroups } from './default-channel-groups.sql';

/** Takes the channel out of every set of channels, and announces the sets if it was in any. */
export async function leaveDefaultChannelGroups(tx: Transaction, realmId: number, channelId: number): Promise<void> {
  if (await deleteChannelFromGroups(tx, realmId, channelId)) await announceDefaultChannelGroups(tx, realmId);
}
