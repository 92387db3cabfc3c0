import { runPeriodically } from '@parley/shared/jobs';
import type { Context } from '../context';
import { endWaitingPeriods } from './end-waiting-periods';

const EVERY_MS = 60 * 60_000;
const LOCK = 'parley-waiting-periods';

/** Ends waiting periods every hour, on one replica at a time, until the returned function is called. */
export function keepEndingWaitingPeriods(ctx: Pick<Context, 'db' | 'clock' | 'log'>): () => Promise<void> {
  const lock = { url: ctx.db.url, name: LOCK };
  const failure = 'ended waiting periods were not announced';
  return runPeriodically(ctx, { everyMs: EVERY_MS, failure, lock }, () => endWaitingPeriods(ctx));
}
