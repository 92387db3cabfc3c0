import type { Context } from '../context';
import { findSurplus } from './find-surplus';
import type { QueueStore } from './queue-store';

const PAUSE_MS = 5 * 60_000;

/** Removes surplus queues every few minutes; pods take their turns at different times. */
export function sweepQueues(ctx: Context, store: QueueStore): void {
  const { clock, random, queues, attentions, endedQueues, stopping, log } = ctx;
  const cancel = clock.after(PAUSE_MS * (1 + random()), async () => {
    stopping.removeEventListener('abort', cancel);
    queues.forgetExpired();
    attentions.keepOnly(queues.owners());
    endedQueues.forgetExpired();
    await store
      .sweep((stored) => findSurplus(stored, clock.now(), (descriptor) => endedQueues.has(descriptor)))
      .catch((error) => log.warn({ err: error }, 'surplus queues were not removed'));
    if (!stopping.aborted) sweepQueues(ctx, store);
  });
  stopping.addEventListener('abort', cancel);
}
