import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import type { Context } from '../context';
import { beginSubscriptions } from './begin-subscriptions';
import { holdSubscribers, listSubscriptionsOf } from './subscriptions.sql';

/**
 * Users are active again: they receive what is sent from now on to the channels they were subscribed to; announces it. The caller
 * holds the users' rows, and has marked them as active.
 */
export async function resumeSubscriptions(
  ctx: Context,
  tx: Transaction,
  realmId: number,
  userIds: readonly number[],
): Promise<void> {
  const beginnings = await listSubscriptionsOf(tx, realmId, userIds);
  await holdSubscribers(
    tx,
    realmId,
    beginnings.map(({ channelId }) => channelId),
  );
  // They have no queues yet that would have to be told.
  const start = { realmId, beginnings, nowMs: ctx.clock.now(), tellsThemselves: false };
  await announce(tx, ...(await beginSubscriptions(tx, start)));
}
