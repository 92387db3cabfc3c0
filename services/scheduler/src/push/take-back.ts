import type { ConsumedEvent } from '@parley/shared/bus';
import type {
  ApiKeyRevoked,
  ChannelVanished,
  FlagsChanged,
  MentionsChanged,
  MessagesDeleted,
  MutedUsersChanged,
  SubscriptionChanged,
  UserDeactivated,
} from '@parley/shared/events';
import type { Context } from '../context';
import { type ChangedPushes, markChanged } from './push.sql';
import { deleteDevicesOf, deleteDevicesOfKeys } from './push-devices.sql';

// Events only say which notifications are to be looked at: a delivery compares them with the messages. For nearly all events there
// are none.

/** Messages were read, or became unread. */
export async function followFlags(ctx: Context, events: readonly ConsumedEvent<FlagsChanged>[]): Promise<void> {
  const reads = events.filter(({ payload }) => payload.flag === 'read' && payload.op === 'add');
  const all = reads.filter(({ payload }) => payload.isAll && !payload.audience);
  const some = reads.filter(({ payload }) => !payload.isAll);
  await compare(ctx, all, { userIds: all.map(({ payload }) => payload.userId) });
  const messageIds = [...new Set(some.flatMap((event) => event.payload.messageIds))];
  if (messageIds.length === 0) return;
  // The users of an audience are found by the messages.
  const isForOne = some.every(({ payload }) => payload.audience === undefined);
  const userIds = isForOne ? some.map(({ payload }) => payload.userId) : undefined;
  await compare(ctx, some, { messageIds, userIds });
}

/** Messages were deleted, or some can no longer read them. */
export async function followDeletions(ctx: Context, events: readonly ConsumedEvent<MessagesDeleted>[]): Promise<void> {
  await compare(ctx, events, { messageIds: events.flatMap(({ payload }) => payload.messageIds) });
}

/** Messages may mention people no longer. */
export async function followMentions(ctx: Context, events: readonly ConsumedEvent<MentionsChanged>[]): Promise<void> {
  await compare(ctx, events, { messageIds: events.map(({ payload }) => payload.message.id) });
}

/** Who left a private channel cannot read it any more. */
export async function followSubscriptions(
  ctx: Context,
  events: readonly ConsumedEvent<SubscriptionChanged>[],
): Promise<void> {
  for (const event of events) {
    const { channelId, unsubscribedIds: userIds } = event.payload;
    if (userIds.length > 0) await compare(ctx, [event], { channelId, userIds });
  }
}

/** A channel was archived, or hidden from users. */
export async function followVanishedChannels(
  ctx: Context,
  events: readonly ConsumedEvent<ChannelVanished>[],
): Promise<void> {
  for (const event of events) {
    const { channelId, others = [], userIds } = event.payload;
    for (const id of [channelId, ...others.map((other) => other.channelId)]) {
      await compare(ctx, [event], { channelId: id, userIds });
    }
  }
}

/** What a muted user wrote counts as read. */
export async function followMutes(ctx: Context, events: readonly ConsumedEvent<MutedUsersChanged>[]): Promise<void> {
  const muting = events.filter(({ payload }) => payload.isMuted);
  await compare(ctx, muting, { userIds: muting.map(({ payload }) => payload.userId) });
}

/** A session's devices end with it. */
export async function followRevokedKeys(ctx: Context, events: readonly ConsumedEvent<ApiKeyRevoked>[]): Promise<void> {
  for (const { realmId, payload } of events) {
    await deleteDevicesOfKeys(ctx.db, { realmId, userId: payload.userId }, payload.keyIds);
  }
}

export async function followDeactivations(
  ctx: Context,
  events: readonly ConsumedEvent<UserDeactivated>[],
): Promise<void> {
  for (const { realmId, payload } of events) await deleteDevicesOf(ctx.db, realmId, [payload.userId]);
}

/** All events are of one organization. */
async function compare(
  { db, clock, dueJobs }: Context,
  [first]: readonly ConsumedEvent<unknown>[],
  changed: ChangedPushes,
): Promise<void> {
  if (first && (await markChanged(db, first.realmId, changed, clock.now())) > 0) dueJobs.pushes.wake();
}
