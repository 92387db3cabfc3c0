import { setTimeout as later } from 'node:timers';

/** Pauses are over in a moment, in all tests of a file. */
export function quickTimers(): void {
  const { setTimeout: former } = globalThis;
  beforeAll(() => void Object.assign(globalThis, { setTimeout: (run: () => void) => later(run, 1).unref() }));
  afterAll(() => void Object.assign(globalThis, { setTimeout: former }));
}
