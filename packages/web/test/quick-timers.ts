import { setTimeout as later } from 'node:timers';

/** Pauses are over in a moment, until the returned function is called. */
export function quickTimers(): () => void {
  const { setTimeout: former } = globalThis;
  Object.assign(globalThis, { setTimeout: (run: () => void) => later(run, 1).unref() });
  return () => Object.assign(globalThis, { setTimeout: former });
}
