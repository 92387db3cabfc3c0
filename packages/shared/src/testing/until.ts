import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL_MS = 5;

/** Looks until there is something, and resolves with it: for what nobody tells, as a lock, a process's rows, or that it has ended. */
export async function until<Found>(look: () => Promise<Found | false> | Found | false): Promise<Found> {
  for (;;) {
    const found = await look();
    if (found !== false) return found;
    await sleep(INTERVAL_MS);
  }
}
