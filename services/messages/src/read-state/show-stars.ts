import { announce, type ConsumedEvent } from '@parley/shared/bus';
import { flagsChanged, type SubscriptionChanged } from '@parley/shared/events';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { channelsOf, loadReader } from '../messages/load-reader';
import { hasReceived, type Reader } from '../messages/permissions';
import { listStarsIn, type StarredMessage } from './personal-flags.sql';

/**
 * Tells clients of stars that are hidden and shown with access to a private channel. The stars themselves stay: they are shown again to
 * whoever comes back. Told once too often, this changes nothing.
 */
export async function showStars(ctx: Context, events: readonly ConsumedEvent<SubscriptionChanged>[]): Promise<void> {
  for (const { realmId, payload } of events) {
    const { channelId, subscribedIds, unsubscribedIds } = payload;
    const stars = await listStarsIn(ctx.db, realmId, channelId, [...subscribedIds, ...unsubscribedIds]);
    for (const [userId, messages] of stars) await showStarsOf(ctx, realmId, userId, channelId, messages);
  }
}

/** As they are by now, whatever the event was: who has come back meanwhile has lost nothing. */
async function showStarsOf(
  ctx: Context,
  realmId: number,
  userId: number,
  channelId: number,
  messages: readonly StarredMessage[],
): Promise<void> {
  const reader = await loadReader(ctx, { ...newCall(), realmId, userId }, channelsOf(messages));
  // What was received in a public channel is readable for its former subscribers, too.
  if (reader.channels.get(channelId)?.isPublic) return;
  const shownIds = messages.filter((message) => isShown(message, reader)).map(({ id }) => id);
  const hiddenIds = messages.map(({ id }) => id).filter((id) => !shownIds.includes(id));
  const changes = [
    { op: 'remove', messageIds: hiddenIds },
    { op: 'add', messageIds: shownIds },
  ] as const;
  const told = changes.filter(({ messageIds }) => messageIds.length > 0);
  await ctx.db.transaction((tx) =>
    announce(tx, ...told.map((change) => flagsChanged(realmId, { userId, flag: 'starred', isAll: false, ...change }))),
  );
}

/** By the rule of the scope of what was received (scope.sql.ts). */
function isShown(message: StarredMessage, reader: Reader): boolean {
  const channel = reader.channels.get(message.channelId);
  return hasReceived(message, reader) || (message.isHistorical && channel?.mayReadHistory === true);
}
