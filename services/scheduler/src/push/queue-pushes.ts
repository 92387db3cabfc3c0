import type { Transaction } from '@parley/shared/db';
import type { Context } from '../context';
import { type NewPush, pushedKinds } from './push';
import { insertPushes } from './push.sql';

/**
 * Queues notifications on the devices of those who have any; costs nothing for others. A message that is queued again for the same
 * device is left alone, so events may be repeated. After the commit, `dueJobs.pushes.wake()` has them delivered at once.
 */
export async function queuePushes(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  tx: Transaction,
  realmId: number,
  pushes: readonly NewPush[],
): Promise<number> {
  const kinds = pushedKinds(config);
  if (kinds.length === 0 || pushes.length === 0) return 0;
  return insertPushes(tx, realmId, { pushes, kinds, nowMs: clock.now() });
}
