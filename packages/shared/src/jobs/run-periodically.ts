import { withAdvisoryLock } from '../db';
import type { Logger } from '../observability';
import type { Clock } from '../values';

export interface PeriodicTask {
  /** From the end of one time to the beginning of the next. */
  everyMs: number;
  /** What is logged when it fails; it is tried again when it is due again. */
  failure: string;
  /** Of the service's database, held by the replica that does it; absent: all replicas do it. */
  lock?: { url: string; name: string };
  /** Gets what has it done at once; answers how to stop that. */
  wokenBy?: (wake: () => void) => () => void;
}

/**
 * Does the work again and again, never twice at a time, until the returned function is called, which resolves once nothing is under way.
 * Long work looks at the signal between its steps. Called where a service starts.
 */
export function runPeriodically(
  { clock, log }: { clock: Clock; log: Logger },
  { everyMs, failure, lock, wokenBy }: PeriodicTask,
  work: (stopping: AbortSignal) => Promise<unknown>,
): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let isUnderWay = false;
  let isWoken = false;
  let cancel = schedule(everyMs);
  const stopWaking = wokenBy?.(wake);

  async function once(): Promise<void> {
    if (lock === undefined) await work(stopping.signal);
    else await withAdvisoryLock(lock.url, lock.name, async () => void (await work(stopping.signal)));
  }

  function schedule(inMs: number) {
    return clock.after(inMs, () => {
      isUnderWay = true;
      isWoken = false;
      running = once()
        .catch((error) => log.warn({ err: error }, failure))
        .finally(() => {
          isUnderWay = false;
          if (!stopping.signal.aborted) cancel = schedule(isWoken ? 0 : everyMs);
        });
    });
  }

  /** What it is woken for may have come after it has looked. */
  function wake(): void {
    isWoken = true;
    if (isUnderWay) return;
    cancel();
    cancel = schedule(0);
  }

  return () => {
    stopping.abort();
    stopWaking?.();
    cancel();
    return running;
  };
}
