import { withAdvisoryLock } from '../db';
import type { Logger } from '../observability';
import type { Clock } from '../values';

export interface PeriodicTask {
  /** From the end of one run to the beginning of the next. */
  everyMs: number;
  /** The log text of a failure; the next run is a new attempt. */
  failure: string;
  /** Advisory lock of the service's database, taken by the replica that runs the task; absent: all replicas run it. */
  lock?: { url: string; name: string };
  /** Registers a function that makes the task run at once; returns how to unregister it. */
  wokenBy?: (wake: () => void) => () => void;
}

type Needed = { clock: Clock; log: Logger };
type Work = (stopping: AbortSignal) => Promise<unknown>;

/**
 * Runs the work periodically, one run at a time, until the returned function is called; that resolves once no run is in progress.
 * Long work checks the signal between its steps. Called where a service starts.
 */
export function runPeriodically(ctx: Needed, task: PeriodicTask, work: Work): () => Promise<void> {
  const loop = new PeriodicRuns(ctx, task, work);
  const stopWaking = task.wokenBy?.(() => loop.wake());
  return () => {
    stopWaking?.();
    return loop.stop();
  };
}

class PeriodicRuns {
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;
  #isWoken = false;
  #cancel: () => void;

  constructor(
    private readonly ctx: Needed,
    private readonly task: PeriodicTask,
    private readonly work: Work,
  ) {
    this.#cancel = this.#schedule(task.everyMs);
  }

  #schedule(inMs: number): () => void {
    return this.ctx.clock.after(inMs, () => {
      this.#running = this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#isWoken = false;
    try {
      await this.#runOnce();
    } catch (error) {
      this.ctx.log.warn({ err: error }, this.task.failure);
    } finally {
      this.#isRunning = false;
      if (!this.#stopping.signal.aborted) this.#cancel = this.#schedule(this.#isWoken ? 0 : this.task.everyMs);
    }
  }

  async #runOnce(): Promise<void> {
    const { lock } = this.task;
    const { signal } = this.#stopping;
    if (lock === undefined) await this.work(signal);
    else await withAdvisoryLock(lock.url, lock.name, async () => void (await this.work(signal)));
  }

  /** During a run this requests another one, because the run may have missed the new work. */
  wake(): void {
    this.#isWoken = true;
    if (this.#isRunning) return;
    this.#cancel();
    this.#cancel = this.#schedule(0);
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancel();
    return this.#running;
  }
}
