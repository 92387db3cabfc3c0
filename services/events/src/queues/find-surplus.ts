import type { QueueDescriptor } from './queue';
import type { StoredQueue } from './queue-store';

/** So many queues a user may leave lying around; a client has one, and makes a new one when it has forgotten it. */
export const MAX_IDLE_QUEUES = 1_000;
/** Clocks of pods may differ by as much. */
const GRACE_MS = 60_000;

/**
 * The queues that have to go: those that have expired, those that ended with their user or key, and of users who have too many idle ones
 * those that were idle longest.
 */
export function findSurplus(
  queues: Iterable<StoredQueue>,
  nowMs: number,
  hasEnded: (descriptor: QueueDescriptor) => boolean,
): StoredQueue[] {
  const over: StoredQueue[] = [];
  const idle = new Map<string, StoredQueue[]>();
  for (const queue of queues) {
    const hasExpired = queue.descriptor.expiresAt < nowMs - GRACE_MS;
    if (hasExpired || hasEnded(queue.descriptor)) over.push(queue);
    else if (lastUseOf(queue.descriptor) < nowMs - GRACE_MS) addTo(idle, queue);
  }
  return [...over, ...[...idle.values()].flatMap(longestIdle)];
}

function addTo(byUser: Map<string, StoredQueue[]>, queue: StoredQueue): void {
  const { realmId, userId } = queue.descriptor;
  const key = `${realmId}/${userId}`;
  const known = byUser.get(key);
  if (known) known.push(queue);
  else byUser.set(key, [queue]);
}

/** When a queue was used last, or later than that: expiries are stored ahead of need. One that a poll waits on is in use (OpenQueues.keepAlive). */
export function lastUseOf({ expiresAt, lifespanSecs }: QueueDescriptor): number {
  return expiresAt - lifespanSecs * 1000;
}

function longestIdle(queues: StoredQueue[]): StoredQueue[] {
  const byUse = queues.sort((a, b) => lastUseOf(a.descriptor) - lastUseOf(b.descriptor));
  return byUse.slice(0, Math.max(0, queues.length - MAX_IDLE_QUEUES));
}
