import { announce, type ConsumedEvent } from '@parley/shared/bus';
import { repeatOnConflict, type Transaction } from '@parley/shared/db';
import type {
  ChannelAccessChanged,
  ChannelAppeared,
  ChannelVanished,
  SubscriptionChanged,
} from '@parley/shared/events';
import type { ReaderChannelIds } from '@parley/shared/proto';
import { groupBy } from '@parley/shared/values';
import { loadChannelReaders } from '../access/load-reader';
import type { ChannelReader } from '../access/permissions';
import type { Context } from '../context';
import { showStars } from '../flags/show-stars';
import { showTopicPolicies } from './change-topic-policy';
import { listKeepers, listStarsAndPolicies, lockAccess, type StarsAndPolicies } from './stars-and-policies.sql';

/*
 * Stars and topic policies are hidden and shown with access to their channel. Each row notes what clients were last
 * notified of, which is also what POST /register answers; it changes in the transaction that announces the change. An event is
 * announced only if the current access differs from that note, so late and repeated calls do no harm.
 */

interface Concerned {
  realmId: number;
  userIds: readonly number[];
  /** Null: all of them. */
  channelIds: readonly number[] | null;
}

/** Users who join or leave several channels at once are asked about once. */
export async function followSubscriptions(
  ctx: Context,
  events: readonly ConsumedEvent<SubscriptionChanged>[],
): Promise<void> {
  const usersOf = ({ payload: { subscribedIds, unsubscribedIds } }: (typeof events)[number]) => [
    ...subscribedIds,
    ...unsubscribedIds,
  ];
  for (const group of groupBy(events, (event) => `${event.realmId} ${usersOf(event)}`).values()) {
    const [first] = group as [(typeof events)[number]];
    const channelIds = group.map(({ payload }) => payload.channelId);
    await followAccess(ctx, { realmId: first.realmId, userIds: usersOf(first), channelIds: [...new Set(channelIds)] });
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
    // A channel that appears for the whole organization is new, or was readable before.
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

const USERS_AT_ONCE = 500;

/**
 * Hides and shows the users' stars and topic policies in the channels according to their current access, and announces the
 * changes. Up to this number of users share a transaction and a call of realm.
 */
export async function followAccess(
  ctx: Pick<Context, 'db' | 'services'>,
  { realmId, userIds, channelIds }: Concerned,
): Promise<void> {
  if (userIds.length === 0) return;
  const keeperIds = await listKeepers(ctx.db, { realmId, userIds, channelIds });
  for (let begin = 0; begin < keeperIds.length; begin += USERS_AT_ONCE) {
    const concerned = { realmId, userIds: keeperIds.slice(begin, begin + USERS_AT_ONCE), channelIds };
    await repeatOnConflict(realmId, () => ctx.db.transaction((tx) => follow(ctx, tx, concerned)));
  }
}

async function follow(
  ctx: Pick<Context, 'services'>,
  tx: Transaction,
  { realmId, userIds, channelIds }: Concerned,
): Promise<void> {
  // NOTE: realm is asked under the lock, so of two transactions the second has the later access.
  await lockAccess(tx, realmId, userIds);
  const kept = await listStarsAndPolicies(tx, { realmId, userIds, channelIds });
  const readers = await loadChannelReaders(ctx, realmId, kept.map(channelsOfKept));
  const changes = [
    ...(await showStars(tx, realmId, starsOf(kept, readers))),
    ...(await showTopicPolicies(tx, realmId, decisionsOf(kept, readers))),
  ];
  if (changes.length > 0) await announce(tx, ...changes);
}

function channelsOfKept({ userId, stars, decidedIds }: StarsAndPolicies): ReaderChannelIds {
  const ids = stars.flatMap(({ channelId, sentChannelId }) => [channelId, sentChannelId]);
  return { userId, channelIds: [...new Set([...ids, ...decidedIds])] };
}

const starsOf = (kept: readonly StarsAndPolicies[], readers: readonly ChannelReader[]) =>
  kept.map(({ stars }, index) => ({ stars, reader: readers[index] as ChannelReader }));

const decisionsOf = (kept: readonly StarsAndPolicies[], readers: readonly ChannelReader[]) =>
  kept.map(({ decidedIds }, index) => ({ channelIds: decidedIds, reader: readers[index] as ChannelReader }));
