import type { Context } from '../context';
import type { QueueStore } from './queue-store';

const PAUSE_MS = 5 * 60_000;
/** Clocks of pods may differ by as much. */
const GRACE_MS = 60_000;

/** Removes expired queues every few minutes; pods take their turns at different times. */
export function sweepQueues(ctx: Context, store: QueueStore): void {
  const { clock, random, queues, endedQueues, stopping, log } = ctx;
  const cancel = clock.after(PAUSE_MS * (1 + random()), async () => {
    stopping.removeEventListener('abort', cancel);
    queues.forgetExpired();
    endedQueues.forgetExpired();
    await store
      .sweep(clock.now() - GRACE_MS)
      .catch((error) => log.warn({ err: error }, 'expired queues were not removed'));
    if (!stopping.aborted) sweepQueues(ctx, store);
  });
  stopping.addEventListener('abort', cancel);
}
