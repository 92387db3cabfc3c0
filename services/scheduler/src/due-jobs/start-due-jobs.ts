import { type Bus, openWakeChannel } from '@parley/shared/bus';
import { ServiceUnavailableError } from '@parley/shared/errors';
import type { BaseContext } from '@parley/shared/service';
import type { ClaimedJob, JobKind } from './due-job';
import { claimDueJobs, findNextDueAtMs, postponeDueJobs } from './due-job.sql';
import { measureDueJobs } from './measure-due-jobs';

/** How often a replica looks for jobs that others have made, although they tell it; and while they cannot. */
const LOOK_MS = 10_000;
const LOOK_UNTOLD_MS = 1_000;
/** What is due may be in the hands of a replica that is just taking it. */
const SHORTEST_SLEEP_MS = 10;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

/** Without a bus no other replica tells of its jobs. */
type Needed = Pick<BaseContext<unknown>, 'db' | 'clock' | 'log'> & { bus?: Bus };

export interface DueJobsDefinition {
  kind: JobKind;
  /** How many of them this replica does at once. */
  concurrency: number;
  /** After this time another replica takes a job over: longer than run() may take. */
  leaseMs: number;
  /**
   * Does a job, and settles it (settleDueJob) in the transaction of its effect. Whatever it does elsewhere must bear to be done again,
   * by this replica or another: a job is given out until it is settled. When it throws, the job is given out again after a while.
   */
  run(job: ClaimedJob): Promise<void>;
  /** Between a failed attempt and the next; absent: from half a second to ten seconds. */
  retryDelayMs?(attempts: number): number;
}

export interface DueJobs {
  /** To be called after jobs were made or brought forward, once that is committed: this replica and the others look at once. */
  wake(): void;
  /** Does all that is due, and resolves with how many jobs that were; for tests. */
  runOnce(): Promise<number>;
  /** Resolves once what this replica has begun is finished. */
  stop(): Promise<void>;
}

/**
 * Does the jobs of one kind when they are due, until it is stopped: sleeps until the next one is due, and wakes when this replica or
 * another has made some. What it was not told of it finds by itself. Any number of replicas share the jobs.
 */
export function startDueJobs(ctx: Needed, definition: DueJobsDefinition): DueJobs {
  const work = new JobsAtWork(ctx, definition);
  let isStopping = false;
  let isWoken = false;
  let endSleep = () => {};
  const channel = ctx.bus && openWakeChannel(ctx.bus, `${ctx.bus.prefix}due-jobs.${definition.kind}.wake`, look);

  function look(): void {
    isWoken = true;
    endSleep();
  }

  function wake(): void {
    look();
    channel?.wakeOthers();
  }

  async function sleep(ms: number): Promise<void> {
    if (isWoken || isStopping) return;
    await new Promise<void>((resolve) => {
      const cancel = ctx.clock.after(ms, resolve);
      endSleep = () => {
        cancel();
        resolve();
      };
    });
  }

  async function keepRunning(): Promise<void> {
    while (!isStopping) {
      isWoken = false;
      const waitMs = await work.begin(look).catch(reportFailure);
      await sleep(Math.min(waitMs, channel?.isUp ? LOOK_MS : LOOK_UNTOLD_MS));
    }
  }

  function reportFailure(error: unknown): number {
    ctx.log.warn({ err: error, kind: definition.kind }, 'due jobs could not be looked for');
    return LOOK_UNTOLD_MS;
  }

  const running = keepRunning();
  const stopMeasuring = measureDueJobs(ctx, definition.kind);
  return {
    wake,
    runOnce: () => work.finishAll(),
    async stop() {
      isStopping = true;
      channel?.end();
      stopMeasuring();
      endSleep();
      await running;
      await work.idle();
    },
  };
}

/** The jobs that a replica is doing. */
class JobsAtWork {
  readonly #running = new Set<Promise<void>>();
  #lastClaim: Promise<number> = Promise.resolve(0);

  constructor(
    private readonly ctx: Needed,
    private readonly definition: DueJobsDefinition,
  ) {}

  /** Begins what is due, as far as there is room; answers how long there will be nothing to do. `onRoom` is called when there is room again. */
  async begin(onRoom: () => void): Promise<number> {
    while (this.#room > 0) {
      const waitMs = await this.#untilNext();
      if (waitMs > 0) return waitMs;
      if ((await this.#claim(onRoom)) === 0) return SHORTEST_SLEEP_MS;
    }
    return Number.POSITIVE_INFINITY;
  }

  async #untilNext(): Promise<number> {
    const nextAtMs = await findNextDueAtMs(this.ctx.db, this.definition.kind);
    return nextAtMs === null ? Number.POSITIVE_INFINITY : nextAtMs - this.ctx.clock.now();
  }

  async finishAll(): Promise<number> {
    let count = 0;
    for (;;) {
      const claimed = await this.#claim(() => {});
      count += claimed;
      if (claimed > 0) continue;
      if (this.#running.size === 0) return count;
      await Promise.race(this.#running);
    }
  }

  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  get #room(): number {
    return Math.max(0, this.definition.concurrency - this.#running.size);
  }

  /** One claim at a time, so that there is never more at work than there is room for. */
  #claim(onRoom: () => void): Promise<number> {
    const claimed = this.#lastClaim.then(() => this.#claimNow(onRoom));
    this.#lastClaim = claimed.catch(() => 0);
    return claimed;
  }

  async #claimNow(onRoom: () => void): Promise<number> {
    const limit = this.#room;
    if (limit === 0) return 0;
    const { kind, leaseMs } = this.definition;
    const jobs = await claimDueJobs(this.ctx.db, { kind, leaseMs, nowMs: this.ctx.clock.now(), limit });
    for (const job of jobs) this.#start(job, onRoom);
    return jobs.length;
  }

  #start(job: ClaimedJob, onRoom: () => void): void {
    const done = this.#run(job).finally(() => {
      const wasFull = this.#room === 0;
      this.#running.delete(done);
      if (wasFull) onRoom();
    });
    this.#running.add(done);
  }

  async #run(job: ClaimedJob): Promise<void> {
    try {
      await this.definition.run(job);
    } catch (error) {
      this.#report(error, job);
      await this.#postpone(job);
    }
  }

  #report(error: unknown, { kind, realmId, id, attempts }: ClaimedJob): void {
    const isExpected = error instanceof ServiceUnavailableError;
    const told = { err: error, kind, realmId, id, attempts };
    if (isExpected) this.ctx.log.warn(told, 'a due job waits for a service');
    else this.ctx.log.error(told, 'a due job failed and is tried again');
  }

  async #postpone(job: ClaimedJob): Promise<void> {
    const { retryDelayMs = growingDelayMs } = this.definition;
    const untilMs = this.ctx.clock.now() + retryDelayMs(job.attempts);
    // Should this fail too, the job is given out again when its lease is over.
    await postponeDueJobs(this.ctx.db, [job], untilMs).catch((error) => this.#report(error, job));
  }
}

function growingDelayMs(attempts: number): number {
  return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1));
}
