import type { QueueDescriptor } from './queue';
import type { StoredQueue } from './queue-store';

/** So many queues a user may leave lying around; a client has one, and makes a new one when it has forgotten it. */
export const MAX_IDLE_QUEUES = 1_000;
/** Clocks of pods may differ by as much. */
const GRACE_MS = 60_000;

/** The queues that have to go: those that have expired, and of users who have too many idle ones those that were idle longest. */
export function findSurplus(queues: Iterable<StoredQueue>, nowMs: number): StoredQueue[] {
  const expired: StoredQueue[] = [];
  const idle = new Map<string, StoredQueue[]>();
  for (const queue of queues) {
    if (queue.descriptor.expiresAt < nowMs - GRACE_MS) expired.push(queue);
    else if (lastUseOf(queue.descriptor) < nowMs - GRACE_MS) addTo(idle, queue);
  }
  return [...expired, ...[...idle.values()].flatMap(longestIdle)];
}

function addTo(byUser: Map<string, StoredQueue[]>, queue: StoredQueue): void {
  const { realmId, userId } = queue.descriptor;
  const key = `${realmId}/${userId}`;
  const known = byUser.get(key);
  if (known) known.push(queue);
  else byUser.set(key, [queue]);
}

/** Or later than it was: expiries are stored ahead of need. One that a poll waits on is in use (OpenQueues.keepAlive). */
function lastUseOf({ expiresAt, lifespanSecs }: QueueDescriptor): number {
  return expiresAt - lifespanSecs * 1000;
}

function longestIdle(queues: StoredQueue[]): StoredQueue[] {
  const byUse = queues.sort((a, b) => lastUseOf(a.descriptor) - lastUseOf(b.descriptor));
  return byUse.slice(0, Math.max(0, queues.length - MAX_IDLE_QUEUES));
}
