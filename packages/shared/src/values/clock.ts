/** The clock, an outside effect: services take it from their context, tests replace it. */
export interface Clock {
  /** UNIX milliseconds. */
  now(): number;
  /** Runs `task` once, `delayMs` from now; the returned function cancels it. */
  after(delayMs: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

/** For durations only: it does not jump with the host's clock, and its times are no instants. */
export const monotonicClock: Clock = { ...systemClock, now: () => performance.now() };

/** UNIX milliseconds → the API's UNIX seconds. */
export function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
