import { runPeriodically } from '@parley/shared/jobs';
import type { Context } from '../context';
import { foldListChanges } from './list-changes.sql';

const EVERY_MS = 60 * 60_000;
const LOCK = 'parley-list-changes';

/** Folds the counts of list changes into few rows periodically, until the returned function is called. */
export function foldListChangesPeriodically(ctx: Pick<Context, 'db' | 'clock' | 'log'>): () => Promise<void> {
  const lock = { url: ctx.db.url, name: LOCK };
  const failure = 'counts of changes were not folded';
  return runPeriodically(ctx, { everyMs: EVERY_MS, failure, lock }, () => foldListChanges(ctx.db));
}
