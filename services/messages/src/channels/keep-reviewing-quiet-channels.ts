import { runPeriodically } from '@parley/shared/jobs';
import type { Context } from '../context';
import { reviewQuietChannels } from './review-quiet-channels';

const EVERY_MS = 60 * 60_000;
const LOCK = 'parley-quiet-channels';

type Needed = Pick<Context, 'db' | 'clock' | 'log' | 'services'>;

/** Reviews every hour which channels are quiet, on one replica at a time, until the returned function is called. */
export function keepReviewingQuietChannels(ctx: Needed): () => Promise<void> {
  const lock = { url: ctx.db.url, name: LOCK };
  const failure = 'it could not be found out which channels are quiet';
  return runPeriodically(ctx, { everyMs: EVERY_MS, failure, lock }, (stopping) => reviewQuietChannels(ctx, stopping));
}
