import { runPeriodically } from '@parley/shared/jobs';
import type { BaseContext } from '@parley/shared/service';
import { purgeArchive } from './deletion.sql';

const EVERY_MS = 60 * 60_000;
const LIFETIME_MS = 30 * 24 * 60 * 60_000;
const BATCH_SIZE = 1_000;

type Needed = Pick<BaseContext<unknown>, 'db' | 'clock' | 'log'>;

/** Purges deleted messages thirty days after their deletion, every hour, until the returned function is called. */
export function keepPurgingArchive(ctx: Needed): () => Promise<void> {
  return runPeriodically(ctx, { everyMs: EVERY_MS, failure: 'the archive was not purged' }, () => purge(ctx));
}

/** In bounded batches, so that no statement holds many rows at once. */
async function purge({ db, clock }: Needed): Promise<void> {
  while ((await purgeArchive(db, clock.now() - LIFETIME_MS, BATCH_SIZE)) === BATCH_SIZE);
}
