import { type Bus, openWakeChannel, type WakeChannel } from '../bus';
import type { Database } from '../db';
import { ServiceUnavailableError } from '../errors';
import { declareGauge, type Logger, onScrape } from '../observability';
import { type BackOff, type Clock, pauseMs } from '../values';
import {
  type ClaimedJob,
  claimDueJobs,
  findNextDueAtMs,
  type JobKind,
  postponeDueJobs,
  readBacklog,
} from './due-jobs.sql';
import { createJobs, type Jobs } from './run-jobs';

/** How often a replica polls for jobs of others, with and without a working notification. */
const LOOK_MS = 30_000;
const LOOK_ALONE_MS = 1_000;
const BACK_OFF: BackOff = { firstMs: 500, lastMs: 10_000 };

/** Without a bus replicas do not notify each other of jobs. */
interface Needed {
  db: Database;
  clock: Clock;
  log: Logger;
  bus?: Bus;
}

export interface DueJobsDefinition {
  kind: JobKind;
  /** Number of jobs that this replica runs concurrently. */
  concurrency: number;
  /** After this time another replica claims a job again: longer than run() may take. */
  leaseMs: number;
  /**
   * Runs a job, and settles it (settleDueJob) in the transaction of its effect. Effects elsewhere must be idempotent: a job is
   * run again, by any replica, until it is settled, and after a while if run() throws.
   */
  run(job: ClaimedJob): Promise<void>;
}

/** `wake` reaches the other replicas, too. */
export type DueJobs = Omit<Jobs, 'start'>;

/** Runs the jobs of one kind in the service's table `due_job` when they are due, until it is stopped. */
export function startDueJobs(ctx: Needed, definition: DueJobsDefinition): DueJobs {
  const { kind, concurrency, leaseMs } = definition;
  const jobs: Jobs = createJobs<ClaimedJob>(ctx, {
    name: kind,
    table: {
      claim: (claim) => claimDueJobs(ctx.db, { kind, ...claim }),
      findNextDueAtMs: () => findNextDueAtMs(ctx.db, kind),
    },
    concurrency,
    leaseMs,
    async run(job) {
      // The loop sleeps until the end of the lease; the back-off is over before.
      if (await runOrPostpone(ctx, definition, job)) jobs.wake();
    },
    lookEveryMs: () => (channel?.isUp ? LOOK_MS : LOOK_ALONE_MS),
  });
  const channel: WakeChannel | undefined =
    ctx.bus && openWakeChannel(ctx.bus, `${ctx.bus.prefix}due-jobs.${kind}.wake`, jobs.wake);
  const stopMeasuring = measure(ctx, kind);
  jobs.start();
  return {
    wake() {
      jobs.wake();
      channel?.wakeOthers();
    },
    runOnce: jobs.runOnce,
    async stop() {
      channel?.end();
      stopMeasuring();
      await jobs.stop();
    },
  };
}

/** Returns whether the job was postponed. */
async function runOrPostpone(ctx: Needed, { run }: DueJobsDefinition, job: ClaimedJob): Promise<boolean> {
  try {
    await run(job);
    return false;
  } catch (error) {
    const { kind, realmId, id, attempts } = job;
    const logged = { err: error, kind, realmId, id, attempts };
    if (error instanceof ServiceUnavailableError) ctx.log.warn(logged, 'a due job waits for a service');
    else ctx.log.error(logged, 'a due job failed and is retried');
    await postponeDueJobs(ctx.db, [job], ctx.clock.now() + pauseMs(BACK_OFF, attempts));
    return true;
  }
}

const due = declareGauge('parley_due_jobs', 'Jobs whose time has come and that no replica has taken', ['kind']);
const oldest = declareGauge('parley_due_jobs_oldest_seconds', 'How long the first of them has been due', ['kind']);

/** Counts the jobs of a kind for metrics until the returned function is called. */
function measure({ db, clock }: Needed, kind: JobKind): () => void {
  return onScrape(async () => {
    const backlog = await readBacklog(db, kind, clock.now());
    return [
      { gauge: due, value: backlog.due, labels: { kind } },
      { gauge: oldest, value: backlog.oldestDueMs / 1000, labels: { kind } },
    ];
  });
}
