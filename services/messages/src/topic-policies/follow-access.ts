import { announce, type ConsumedEvent } from '@parley/shared/bus';
import { repeatOnConflict, type Transaction } from '@parley/shared/db';
import type {
  ChannelAccessChanged,
  ChannelAppeared,
  ChannelVanished,
  SubscriptionChanged,
} from '@parley/shared/events';
import { newCall } from '@parley/shared/rpc';
import { loadReader } from '../access/load-reader';
import type { Context } from '../context';
import { showStars } from '../flags/show-stars';
import { showTopicPolicies } from './change-topic-policy';
import { listKeepers, listKept, lockAccess } from './kept.sql';

/*
 * What users have starred, and decided about topics, is hidden and shown with access to its channel. Each row notes which of it clients have
 * been told: that is what they begin with, and it changes in the transaction that tells them. So it does not matter which event leads here,
 * how late, or how often: what is told follows from the access of now, and only where it is another one than was told.
 */

interface Concerned {
  realmId: number;
  userIds: readonly number[];
  /** Null: all of them. */
  channelIds: readonly number[] | null;
}

export async function followSubscriptions(
  ctx: Context,
  events: readonly ConsumedEvent<SubscriptionChanged>[],
): Promise<void> {
  for (const { realmId, payload } of events) {
    const { channelId, subscribedIds, unsubscribedIds } = payload;
    await followAccess(ctx, { realmId, userIds: [...subscribedIds, ...unsubscribedIds], channelIds: [channelId] });
  }
}

export async function followVanished(ctx: Context, events: readonly ConsumedEvent<ChannelVanished>[]): Promise<void> {
  for (const { realmId, payload } of events) {
    const { channelId, others = [], userIds } = payload;
    const channelIds = [channelId, ...others.map((other) => other.channelId)];
    await followAccess(ctx, { realmId, userIds, channelIds });
  }
}

export async function followAppeared(ctx: Context, events: readonly ConsumedEvent<ChannelAppeared>[]): Promise<void> {
  for (const { realmId, payload } of events) {
    const { channel, others = [], audience } = payload;
    // What appears for all is new, or has been read before.
    if (audience.to !== 'users') continue;
    await followAccess(ctx, {
      realmId,
      userIds: audience.userIds,
      channelIds: [channel, ...others].map(({ id }) => id),
    });
  }
}

export async function followAccessChanges(
  ctx: Context,
  events: readonly ConsumedEvent<ChannelAccessChanged>[],
): Promise<void> {
  for (const { realmId, payload } of events) {
    const { channelId, gainedIds, lostIds } = payload;
    await followAccess(ctx, { realmId, userIds: [...gainedIds, ...lostIds], channelIds: [channelId] });
  }
}

/** Hides and shows what the users have starred and decided in the channels, by their access of now, and tells them where that is a change. */
export async function followAccess(
  ctx: Pick<Context, 'db' | 'services'>,
  { realmId, userIds, channelIds }: Concerned,
): Promise<void> {
  if (userIds.length === 0) return;
  for (const userId of await listKeepers(ctx.db, { realmId, userIds, channelIds })) {
    await repeatOnConflict(realmId, () => ctx.db.transaction((tx) => follow(ctx, tx, { realmId, userId, channelIds })));
  }
}

async function follow(
  { services }: Pick<Context, 'services'>,
  tx: Transaction,
  { realmId, userId, channelIds }: { realmId: number; userId: number; channelIds: readonly number[] | null },
): Promise<void> {
  // NOTE: realm is asked while nobody else follows: whoever comes second knows the later access.
  await lockAccess(tx, realmId, userId);
  const { stars, decidedIds } = await listKept(tx, { realmId, userId, channelIds });
  const ids = new Set([...stars.flatMap(({ channelIds }) => channelIds), ...decidedIds]);
  const reader = await loadReader({ services }, { ...newCall(), realmId, userId }, { ids: [...ids] });
  const changes = [...(await showStars(tx, reader, stars)), ...(await showTopicPolicies(tx, reader, decidedIds))];
  if (changes.length > 0) await announce(tx, ...changes);
}
