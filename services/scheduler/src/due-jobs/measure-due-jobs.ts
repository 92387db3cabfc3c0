import { declareGauge, onScrape } from '@parley/shared/observability';
import type { BaseContext } from '@parley/shared/service';
import type { JobKind } from './due-job';
import { readBacklog } from './due-job.sql';

const due = declareGauge('parley_due_jobs', 'Jobs whose time has come and that no replica has taken', ['kind']);
const oldest = declareGauge('parley_due_jobs_oldest_seconds', 'How long the first of them has been due', ['kind']);

/** Has the jobs of a kind counted until the returned function is called. */
export function measureDueJobs({ db, clock }: Pick<BaseContext<unknown>, 'db' | 'clock'>, kind: JobKind): () => void {
  return onScrape(async () => {
    const backlog = await readBacklog(db, kind, clock.now());
    return [
      { gauge: due, value: backlog.due, labels: { kind } },
      { gauge: oldest, value: backlog.oldestDueMs / 1000, labels: { kind } },
    ];
  });
}
