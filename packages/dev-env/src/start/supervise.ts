import { pauseMs } from '@parley/shared/values';

/** A supervised process: a service, a server. */
export interface Running {
  /** Resolves when it ends, with the reason. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

export interface Supervision<R extends Running> {
  start(): Promise<R>;
  /** Called with a short message when it ended, and what happens next. */
  report(message: string): void;
  firstPauseMs?: number;
  longestPauseMs?: number;
  /** A process that ran for this time was healthy: the next pause is the first one again. */
  healthyAfterMs?: number;
}

export interface Supervised<R extends Running> {
  /** The first instance. */
  first: R;
  stop(): Promise<void>;
}

/**
 * Starts something, and restarts it whenever it ends: soon at first, then after increasing pauses. Rejects if the very first
 * start fails; later failures are reported and retried.
 */
export async function supervise<R extends Running>(supervision: Supervision<R>): Promise<Supervised<R>> {
  const {
    start,
    report,
    firstPauseMs: firstMs = 100,
    longestPauseMs: lastMs = 10_000,
    healthyAfterMs = 30_000,
  } = supervision;
  const first = await start();
  const pause = createPause();
  let running: Running = first;
  let isStopping = false;

  async function watch(): Promise<void> {
    let ends = 0;
    for (;;) {
      const startedAt = Date.now();
      const how = await running.ended;
      if (isStopping) return;
      ends = Date.now() - startedAt > healthyAfterMs ? 1 : ends + 1;
      const waitMs = pauseMs({ firstMs, lastMs }, ends);
      report(`ended (${how}); starting it again in ${waitMs / 1000} s`);
      await pause.wait(waitMs);
      if (isStopping) return;
      running = await start().catch(failedStart);
      if (isStopping) await running.stop();
    }
  }

  const watching = watch();
  return {
    first,
    async stop() {
      isStopping = true;
      pause.end();
      await running.stop();
      await watching;
    },
  };
}

function failedStart(error: Error): Running {
  return { ended: Promise.resolve(error.message), stop: async () => {} };
}

/** A pause that can be ended early, permanently. */
function createPause(): { wait(ms: number): Promise<void>; end(): void } {
  let end = () => {};
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    async wait(ms) {
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([isOver, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
      clearTimeout(timer);
    },
    end: () => end(),
  };
}
