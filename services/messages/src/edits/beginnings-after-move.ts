import type { Transaction } from '@parley/shared/db';
import { channelBeginningChanged, type DomainEvent } from '@parley/shared/events';
import { listBeginnings } from '../channels/channel-activity.sql';

export interface MoveBetweenChannels {
  realmId: number;
  fromChannelId: number;
  toChannelId: number;
  /** The first of those that were moved. */
  firstMovedId: number;
}

/** After a move: the one channel has lost its first message when all that is left came later; the other has a new one when that was moved. */
export async function beginningsAfterMove(
  tx: Transaction,
  { realmId, fromChannelId, toChannelId, firstMovedId }: MoveBetweenChannels,
): Promise<DomainEvent[]> {
  if (fromChannelId === toChannelId) return [];
  const beginnings = await listBeginnings(tx, realmId, [fromChannelId, toChannelId]);
  const changed = beginnings.filter(({ firstMessageId }) => firstMessageId === null || firstMessageId >= firstMovedId);
  return changed.map(({ channelId, firstMessageId }) =>
    channelBeginningChanged(realmId, {
      ...{ channel: { id: channelId, name: '' }, firstMessageId },
      audience: { to: 'users', userIds: [] },
    }),
  );
}
