import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL_MS = 5;

/**
 * Polls until there is a result, and resolves with it: for conditions without an event, such as a lock, a process's rows, or its
 * end.
 */
export async function until<Found>(look: () => Promise<Found | false> | Found | false): Promise<Found> {
  for (;;) {
    const found = await look();
    if (found !== false) return found;
    await sleep(INTERVAL_MS);
  }
}
