import { LOG_RETENTION_HOURS } from '@parley/shared/bus';
import { runPeriodically } from '@parley/shared/jobs';
import { deleteOldAnswers } from '@parley/shared/request-keys';
import type { BaseContext } from '@parley/shared/service';
import { deleteSendKeys } from './send-key.sql';

const EVERY_MS = 10 * 60_000;
const LIFETIME_MS = 24 * 60 * 60_000;
/** As long as the event log may give a notice out again, and a day more. */
const NOTICE_LIFETIME_MS = LOG_RETENTION_HOURS * 60 * 60_000 + LIFETIME_MS;
const BATCH_SIZE = 5_000;

type Needed = Pick<BaseContext<unknown>, 'db' | 'clock' | 'log'>;

/**
 * Forgets keys a day after their request, those of notices once the event log has forgotten the notice, those of jobs as late, every ten
 * minutes, until the returned function is called.
 */
export function keepExpiringSendKeys(ctx: Needed): () => Promise<void> {
  return runPeriodically(ctx, { everyMs: EVERY_MS, failure: 'send keys were not expired' }, () => expireSendKeys(ctx));
}

/** In bounded batches, so that no statement holds many rows at once. */
async function expireSendKeys(ctx: Needed): Promise<void> {
  const { db, clock } = ctx;
  const expiry = { noticesBeforeMs: clock.now() - NOTICE_LIFETIME_MS, othersBeforeMs: clock.now() - LIFETIME_MS };
  while ((await deleteSendKeys(db, expiry, BATCH_SIZE)) === BATCH_SIZE);
  while ((await deleteOldAnswers(ctx, BATCH_SIZE)) === BATCH_SIZE);
}
