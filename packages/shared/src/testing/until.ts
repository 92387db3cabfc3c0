import { setTimeout as sleep } from 'node:timers/promises';

const LONGEST_PAUSE_MS = 50;

/**
 * Polls until there is a result, and resolves with it: for conditions without an event, such as a lock, a process's rows, or its
 * end.
 */
export async function until<Found>(look: () => Promise<Found | false> | Found | false): Promise<Found> {
  const begin = performance.now();
  for (;;) {
    const found = await look();
    if (found !== false) return found;
    await sleep(pauseAfter(performance.now() - begin));
  }
}

/** How long polling may rest: looking costs processor time, and what has taken long may take a tenth longer. */
export function pauseAfter(waitedMs: number): number {
  return Math.min(Math.max(2, waitedMs / 10), LONGEST_PAUSE_MS);
}
