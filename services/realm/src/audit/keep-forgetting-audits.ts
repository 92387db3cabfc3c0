import { runPeriodically } from '@parley/shared/jobs';
import type { Context } from '../context';
import { deleteAuditsOfPurged } from './audit.sql';

const EVERY_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const LOCK = 'parley-audit';

/** Deletes audit logs when their organizations have been gone for long enough, until the returned function is called. */
export function keepForgettingAudits(ctx: Pick<Context, 'db' | 'clock' | 'log' | 'config'>): () => Promise<void> {
  const { db, clock, config } = ctx;
  const lock = { url: db.url, name: LOCK };
  const failure = 'audit logs of organizations that are gone were not deleted';
  return runPeriodically(ctx, { everyMs: EVERY_MS, failure, lock }, () =>
    deleteAuditsOfPurged(db, clock.now() - config.AUDIT_RETENTION_DAYS * DAY_MS),
  );
}
