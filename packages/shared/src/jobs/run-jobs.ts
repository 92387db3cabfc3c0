import type { Logger } from '../observability';
import type { Clock } from '../values';

/** Another replica may be claiming the due jobs now. */
const SHORTEST_SLEEP_MS = 10;
const AFTER_FAILURE_MS = 1_000;

export interface Claim {
  nowMs: number;
  /** The lease: no other replica claims the jobs before this time is over. */
  leaseMs: number;
  limit: number;
}

/** The store of jobs. */
export interface JobTable<Job> {
  /** Claims due jobs, oldest first, and skips rows locked by another replica. */
  claim(claim: Claim): Promise<Job[]>;
  /** When the next unclaimed job is due; null: there is none. */
  findNextDueAtMs(nowMs: number): Promise<number | null>;
}

export interface JobsDefinition<Job> {
  /** For the log. */
  name: string;
  table: JobTable<Job>;
  /** Number of jobs that this replica runs concurrently. */
  concurrency: number;
  /** After this time another replica claims a job again: longer than run() may take. */
  leaseMs: number;
  /**
   * Runs a job and settles it. A job is claimed again until it is settled, so effects of run() elsewhere must be idempotent. A
   * job whose run() throws waits for the end of its lease.
   */
  run(job: Job): Promise<void>;
  /** Longest sleep of a replica before it polls, in case it missed a notification. */
  lookEveryMs(): number;
  /** When stopped, running jobs are awaited for this time and then left to their leases; absent: without limit. */
  stopWithinMs?: number;
}

export interface Jobs {
  /** Begins to look for jobs. */
  start(): void;
  /** Called after jobs were inserted or brought forward, after the commit: this replica looks at once. */
  wake(): void;
  /** Runs all due jobs, and resolves with their number; for tests. */
  runOnce(): Promise<number>;
  /** Claims no more jobs; resolves when the running ones are finished. */
  stop(): Promise<void>;
}

type Needed = { clock: Clock; log: Logger };

/**
 * Runs jobs when they are due: sleeps until the next one is, or until it is woken. Any number of replicas share the jobs of a
 * table; a slow job does not delay others.
 */
export function createJobs<Job>(ctx: Needed, definition: JobsDefinition<Job>): Jobs {
  const loop = new JobsLoop(ctx, definition);
  return {
    start: () => loop.start(),
    wake: () => loop.wake(),
    runOnce: () => loop.finishAll(),
    stop: () => loop.stop(),
  };
}

class JobsLoop<Job> {
  readonly #work: JobsAtWork<Job>;
  #running: Promise<void> = Promise.resolve();
  #isStopping = false;
  #isWoken = false;
  #endSleep = () => {};

  constructor(
    private readonly ctx: Needed,
    private readonly definition: JobsDefinition<Job>,
  ) {
    this.#work = new JobsAtWork(ctx, definition);
  }

  start(): void {
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#isWoken = false;
      const nextAtMs = await this.#work.begin(() => this.wake()).catch((error) => this.#reportFailure(error));
      await this.#sleepUntil(nextAtMs);
    }
  }

  #reportFailure(error: unknown): number {
    this.ctx.log.warn({ err: error, jobs: this.definition.name }, 'polling for jobs failed');
    return this.ctx.clock.now() + AFTER_FAILURE_MS;
  }

  async #sleepUntil(nextAtMs: number): Promise<void> {
    if (this.#isWoken || this.#isStopping) return;
    const untilNextMs = Math.max(0, nextAtMs - this.ctx.clock.now());
    await new Promise<void>((resolve) => {
      const cancel = this.ctx.clock.after(Math.min(untilNextMs, this.definition.lookEveryMs()), resolve);
      this.#endSleep = () => {
        cancel();
        resolve();
      };
    });
  }

  wake(): void {
    this.#isWoken = true;
    this.#endSleep();
  }

  finishAll(): Promise<number> {
    return this.#work.finishAll();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#endSleep();
    await this.#running;
    await within(this.ctx.clock, this.definition.stopWithinMs, this.#work.idle());
  }
}

async function within(clock: Clock, ms: number | undefined, finished: Promise<void>): Promise<void> {
  if (ms === undefined) return finished;
  let cancel = () => {};
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  await Promise.race([finished, late]);
  cancel();
}

/** The jobs that a replica is running. */
class JobsAtWork<Job> {
  readonly #running = new Set<Promise<void>>();
  #lastClaim: Promise<number> = Promise.resolve(0);

  constructor(
    private readonly ctx: Needed,
    private readonly definition: JobsDefinition<Job>,
  ) {}

  /**
   * Starts due jobs up to the capacity; resolves with the time of the next one, which may have passed meanwhile. Calls `onRoom`
   * when a full replica has capacity again.
   */
  async begin(onRoom: () => void): Promise<number> {
    while (this.#room > 0) {
      const nextAtMs = await this.definition.table.findNextDueAtMs(this.ctx.clock.now());
      if (nextAtMs === null) break;
      if (nextAtMs > this.ctx.clock.now()) return nextAtMs;
      if ((await this.#claim(onRoom)) === 0) return this.ctx.clock.now() + SHORTEST_SLEEP_MS;
    }
    return Number.POSITIVE_INFINITY;
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

  /** One claim at a time, so that the capacity is not exceeded. */
  #claim(onRoom: () => void): Promise<number> {
    const claimed = this.#lastClaim.then(() => this.#claimNow(onRoom));
    this.#lastClaim = claimed.catch(() => 0);
    return claimed;
  }

  async #claimNow(onRoom: () => void): Promise<number> {
    const limit = this.#room;
    if (limit === 0) return 0;
    const { table, leaseMs } = this.definition;
    const jobs = await table.claim({ nowMs: this.ctx.clock.now(), leaseMs, limit });
    for (const job of jobs) this.#start(job, onRoom);
    return jobs.length;
  }

  #start(job: Job, onRoom: () => void): void {
    const done = this.#run(job).finally(() => {
      const wasFull = this.#room === 0;
      this.#running.delete(done);
      if (wasFull) onRoom();
    });
    this.#running.add(done);
  }

  async #run(job: Job): Promise<void> {
    try {
      await this.definition.run(job);
    } catch (error) {
      this.ctx.log.warn({ err: error, jobs: this.definition.name }, 'a job failed and waits for the end of its lease');
    }
  }
}
