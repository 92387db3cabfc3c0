import { announce, type ConsumedEvent } from '@parley/shared/bus';
import { mutedTopicsChanged, type TopicPolicyChanged } from '@parley/shared/events';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { loadReader } from '../messages/load-reader';
import { MUTED } from './automatic-policy';
import { presentTopicPolicies } from './change-topic-policy';
import { listTopicPoliciesOf } from './topic-policies.sql';

/**
 * Tells users all the topics that they have muted, when one is muted or no longer is: whether they did that, or it came with a
 * message or a move, which do not know of their other topics. Whoever is concerned several times is told once, the latest.
 */
export async function announceMutedTopics(
  ctx: Context,
  events: readonly ConsumedEvent<TopicPolicyChanged>[],
): Promise<void> {
  const changes = events.filter(({ payload }) => payload.changesMuted);
  const users = new Map(
    changes.map(({ realmId, payload: { userId } }) => [`${realmId}/${userId}`, { realmId, userId }]),
  );
  for (const user of users.values()) await announceFor(ctx, user);
}

async function announceFor(ctx: Context, { realmId, userId }: { realmId: number; userId: number }): Promise<void> {
  const policies = await listTopicPoliciesOf(ctx.db, realmId, userId);
  const muted = policies.filter(({ policy }) => policy === MUTED);
  const ids = [...new Set(muted.map(({ channelId }) => channelId))];
  const reader = await loadReader(ctx, { ...newCall(), realmId, userId }, { ids });
  const event = mutedTopicsChanged(realmId, { userId, mutedTopics: presentTopicPolicies(muted, reader) });
  await ctx.db.transaction((tx) => announce(tx, event));
}
