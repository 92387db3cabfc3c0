import { runPeriodically } from '@parley/shared/jobs';
import type { Context } from '../context';
import { findSurplus } from './find-surplus';
import type { QueueStore } from './queue-store';

const PAUSE_MS = 5 * 60_000;

/** Removes surplus queues every few minutes, until the returned function is called; pods take their turns at different times. */
export function keepSweepingQueues(ctx: Context, store: QueueStore): () => Promise<void> {
  const { clock, random, queues, attentions, endedQueues } = ctx;
  const chore = { everyMs: PAUSE_MS * (1 + random()), failure: 'surplus queues were not removed' };
  return runPeriodically(ctx, chore, async (stopping) => {
    queues.forgetExpired();
    attentions.keepOnly(queues.owners());
    endedQueues.forgetExpired();
    await store.sweep(
      (stored) => findSurplus(stored, clock.now(), (descriptor) => endedQueues.has(descriptor)),
      stopping,
    );
  });
}
