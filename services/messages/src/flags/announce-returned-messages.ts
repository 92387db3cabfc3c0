import { announce, type ConsumedEvent } from '@parley/shared/bus';
import { causedBy, type EventCause, flagsChanged, type MessagesReturned } from '@parley/shared/events';
import type { Subscriber } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { loadReader } from '../access/load-reader';
import type { Context } from '../context';
import { slicesOf } from '../messages/slices';
import { isRead } from '../read-state/is-read';
import { lockReadStateOf } from '../read-state/read-state.sql';
import { loadMarkable } from './markable.sql';
import { listUnpassed, type Unpassed } from './unpassed.sql';
import { UNREADING, unreadDetails } from './update-flags';

/** Announces messages that become unread for users to whose channels they moved and for whom they counted as read before. */
export async function announceReturnedMessages(
  ctx: Context,
  events: readonly ConsumedEvent<MessagesReturned>[],
): Promise<void> {
  for (const { realmId, payload, cause } of events) {
    const { channelId, messageIds } = payload;
    const newcomerIds = await findNewcomers(ctx, realmId, payload);
    for (const user of await listUnpassed(ctx.db, realmId, channelId, newcomerIds, messageIds)) {
      const reader = { realmId, userId: user.userId };
      for (const ids of slicesOf(unpassedOf(messageIds, user), AT_ONCE))
        await tell(ctx, reader, { channelId, messageIds: ids }, cause);
    }
  }
}

/** Messages of one event; marks of them wait while it is made. */
const AT_ONCE = 2_000;

/** The messages, ascending, without those that a watermark has passed. */
function unpassedOf(messageIds: readonly number[], { passedId, hasMarks }: Unpassed): readonly number[] {
  let [low, high] = [0, hasMarks ? 0 : messageIds.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((messageIds[middle] as number) <= passedId) low = middle + 1;
    else high = middle;
  }
  return messageIds.slice(low);
}

/** Subscribers of the channel who did not have the messages in the former one. */
async function findNewcomers(
  { services: { realm } }: Context,
  realmId: number,
  { channelId, fromChannelId, heldSince }: MessagesReturned,
): Promise<number[]> {
  const [here, there] = await Promise.all([
    realm.getSubscribers(newCall(), { realmId, channelId }),
    realm.getSubscribers(newCall(), { realmId, channelId: fromChannelId }),
  ]);
  const hadThem = new Set(there.subscribers.filter((one) => lastsSince(one) <= heldSince).map(({ userId }) => userId));
  const current = here.subscribers.filter((one) => Number.isFinite(lastsSince(one)) && !hadThem.has(one.userId));
  return current.map(({ userId }) => userId);
}

function lastsSince({ intervals }: Subscriber): number {
  const open = intervals.find(({ toVersion }) => toVersion === undefined);
  return open?.fromVersion ?? Number.POSITIVE_INFINITY;
}

async function tell(
  ctx: Context,
  { realmId, userId }: { realmId: number; userId: number },
  { messageIds, channelId }: Pick<MessagesReturned, 'messageIds' | 'channelId'>,
  move: EventCause | undefined,
): Promise<void> {
  const reader = await loadReader(ctx, { ...newCall(), realmId, userId }, { ids: [channelId], withOwn: true });
  await ctx.db.transaction(async (tx) => {
    // The user may mark them at this moment: an event that they are unread must not follow one that they are read.
    await lockReadStateOf(tx, realmId, messageIds);
    const messages = await loadMarkable(tx, { realmId, userId }, messageIds, UNREADING);
    const unread = messages.filter((message) => message.channelId === channelId && !isRead(message, reader, message));
    if (unread.length === 0) return;
    const fact = { userId, ...UNREADING, messageIds: unread.map(({ id }) => id), isAll: false } as const;
    const event = flagsChanged(realmId, { ...fact, details: unreadDetails(unread, reader) });
    // The initial state of clients that register later has them as unread.
    await announce(tx, causedBy(move, event));
  });
}
