import { pauseMs } from '@parley/shared/values';

/** Something that runs: a service's process, a server. */
export interface Running {
  /** Resolves with how it ended, wanted or not. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

export interface Supervision<R extends Running> {
  start(): Promise<R>;
  /** Called with a short message when it ended, and what happens next. */
  report(message: string): void;
  firstPauseMs?: number;
  longestPauseMs?: number;
  /** A process that ran for so long was healthy: the next pause is the first again. */
  healthyAfterMs?: number;
}

export interface Supervised<R extends Running> {
  /** As it was first started. */
  first: R;
  stop(): Promise<void>;
}

/**
 * Starts something, and starts it again whenever it ends: soon at first, then after ever longer pauses. Rejects when the very
 * first start fails; later failures are reported and tried again.
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

/** A pause that can be cut short, for good. */
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
