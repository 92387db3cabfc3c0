import type { Clock } from '../values';

/** Spaces turns evenly. */
export interface Turns {
  /** Resolves when it is the caller's turn; in the order of the calls. */
  next(): Promise<void>;
}

/** At most so many turns in a second; the first after a pause is at once. */
export function createTurns(clock: Pick<Clock, 'now' | 'after'>, perSecond: number): Turns {
  const spanMs = 1000 / perSecond;
  let nextAtMs = 0;
  return {
    next() {
      const nowMs = clock.now();
      const atMs = Math.max(nowMs, nextAtMs);
      nextAtMs = atMs + spanMs;
      return atMs <= nowMs ? Promise.resolve() : new Promise((resolve) => clock.after(atMs - nowMs, resolve));
    },
  };
}
