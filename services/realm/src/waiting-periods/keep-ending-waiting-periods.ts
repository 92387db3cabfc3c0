import { withAdvisoryLock } from '@parley/shared/db';
import type { Context } from '../context';
import { endWaitingPeriods } from './end-waiting-periods';

const EVERY_MS = 60 * 60_000;
const LOCK = 'parley-waiting-periods';

type Needed = Pick<Context, 'db' | 'clock' | 'log'>;

/** Ends waiting periods every hour, on one replica at a time, until the returned function is called. */
export function keepEndingWaitingPeriods(ctx: Needed): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  let cancel = schedule();

  function schedule() {
    return ctx.clock.after(EVERY_MS, () => {
      running = withAdvisoryLock(ctx.db.url, LOCK, () => endWaitingPeriods(ctx)).catch((error) =>
        ctx.log.warn({ err: error }, 'ended waiting periods were not announced'),
      );
      cancel = schedule();
    });
  }

  return async () => {
    cancel();
    await running;
  };
}
