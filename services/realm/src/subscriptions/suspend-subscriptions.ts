import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import type { Context } from '../context';
import { endSubscriptions } from './end-subscriptions';
import { holdSubscribers, listSubscriptionsOf } from './subscriptions.sql';

/**
 * Users are deactivated: from now on they receive nothing and are nobody's peers; announces it. Their subscriptions wait for
 * resumeSubscriptions. The caller holds the users' rows, and has marked them as not active.
 */
export async function suspendSubscriptions(
  ctx: Context,
  tx: Transaction,
  realmId: number,
  userIds: readonly number[],
): Promise<void> {
  const endings = await listSubscriptionsOf(tx, realmId, userIds);
  await holdSubscribers(
    tx,
    realmId,
    endings.map(({ channelId }) => channelId),
  );
  const end = { realmId, endings, nowMs: ctx.clock.now(), isForGood: false };
  await announce(tx, ...(await endSubscriptions(tx, end)));
}
