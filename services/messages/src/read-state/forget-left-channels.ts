import { announce, type ConsumedEvent } from '@parley/shared/bus';
import { flagsChanged, type SubscriptionChanged } from '@parley/shared/events';
import type { ChannelReadFacts } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { loadReader } from '../messages/load-reader';
import type { Reader } from '../messages/permissions';
import { findReadByLeaving } from './find-unread.sql';
import { MAX_UNREAD } from './mark-unread';
import { forgetUnreadIn } from './read-state.sql';

/**
 * Whoever leaves a channel has read what is in it, whatever they had marked as unread by hand. While they are out of it that is so
 * without this; it tells their clients what became read, and keeps the marks from coming back with them.
 */
export async function forgetLeftChannels(
  ctx: Context,
  events: readonly ConsumedEvent<SubscriptionChanged>[],
): Promise<void> {
  for (const { realmId, payload } of events) {
    for (const userId of payload.unsubscribedIds) await forgetLeftChannel(ctx, realmId, userId, payload);
  }
}

async function forgetLeftChannel(
  ctx: Context,
  realmId: number,
  userId: number,
  { channelId, version }: SubscriptionChanged,
): Promise<void> {
  const reader = await loadReader(ctx, { ...newCall(), realmId, userId }, { ids: [channelId], withOwn: true });
  const former = readerBefore(reader, channelId, version);
  await ctx.db.transaction(async (tx) => {
    const messageIds = former ? await findReadByLeaving(tx, former, reader, { channelId, version }, MAX_UNREAD) : [];
    await forgetUnreadIn(tx, realmId, channelId, userId);
    if (messageIds.length === 0) return;
    const fact = { userId, op: 'add', flag: 'read', messageIds, isAll: false } as const;
    await announce(tx, flagsChanged(realmId, fact));
  });
}

/** The reader as they were when they left at that version; null: nothing is known of that. */
function readerBefore(reader: Reader, channelId: number, version: number): Reader | null {
  const channel = reader.channels.get(channelId);
  const left = channel?.intervals.find(({ toVersion }) => toVersion === version);
  if (!channel || !left) return null;
  const before: ChannelReadFacts = { ...channel, isSubscribed: true, intervals: [{ fromVersion: left.fromVersion }] };
  return { ...reader, channels: new Map(reader.channels).set(channelId, before) };
}
