import type { Queue, QueueDescriptor } from './queue';
import type { StoredQueue } from './queue-store';

/** Maximum size of the descriptors of a user's queues on a pod: some 20,000 queues of a usual client. */
const MAX_BYTES = 16 * 1024 ** 2;
/** Part that is removed when the limit is reached, so that the cost per queue is low. */
const DROPPED_SHARE = 1 / 16;

/** Several queues of one owner. */
class QueueSet {
  readonly #queues = new Set<Queue>();
  bytes = 0;

  add(queue: Queue): void {
    if (!this.#queues.has(queue)) this.bytes += queue.byteLength;
    this.#queues.add(queue);
  }

  delete(queue: Queue): void {
    if (this.#queues.delete(queue)) this.bytes -= queue.byteLength;
  }

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  /** Without a poll now, idle longest first. */
  idleBeside(queue: Queue): Queue[] {
    const idle = [...this.#queues].filter((other) => other !== queue && other.poll === undefined);
    return idle.sort((a, b) => lastUseOf(a.descriptor) - lastUseOf(b.descriptor));
  }
}

/** The queues that a pod knows, by user: no user takes more than a share, however fast they create new ones. */
export class OwnedQueues {
  /** Most users have one queue, stored without a set. */
  readonly #owned = new Map<string, Queue | QueueSet>();

  add(queue: Queue): void {
    const owned = this.#of(queue);
    if (owned instanceof QueueSet) owned.add(queue);
    else if (owned === undefined) this.#owned.set(ownerOf(queue), queue);
    else if (owned !== queue) this.#owned.set(ownerOf(queue), setOf(owned, queue));
  }

  remove(queue: Queue): void {
    const owned = this.#of(queue);
    if (owned instanceof QueueSet) owned.delete(queue);
    if (owned === queue || (owned instanceof QueueSet && owned.isEmpty)) this.#owned.delete(ownerOf(queue));
  }

  /** An owner's queues here beyond the limit: idle longest, without a poll now. */
  surplusBeside(queue: Queue): Queue[] {
    const owned = this.#of(queue);
    if (!(owned instanceof QueueSet) || owned.bytes <= MAX_BYTES) return [];
    let surplusBytes = owned.bytes - MAX_BYTES * (1 - DROPPED_SHARE);
    return owned.idleBeside(queue).filter(({ byteLength }) => {
      const isSurplus = surplusBytes > 0;
      surplusBytes -= byteLength;
      return isSurplus;
    });
  }

  #of(queue: Queue): Queue | QueueSet | undefined {
    return this.#owned.get(ownerOf(queue));
  }
}

function setOf(...queues: readonly Queue[]): QueueSet {
  const set = new QueueSet();
  for (const queue of queues) set.add(queue);
  return set;
}

function ownerOf({ descriptor: { realmId, userId } }: Queue): string {
  return `${realmId}/${userId}`;
}

/** Maximum number of idle queues per user; a client has one, and creates another after losing it. */
export const MAX_IDLE_QUEUES = 1_000;
/** Tolerance for differences between the pods' clocks. */
const GRACE_MS = 60_000;

/**
 * The queues to remove: expired ones, those that ended with their user or key, and of users with too many idle ones
 * the longest idle.
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

/**
 * When a queue was used last, or later: expiries are stored ahead of time. A queue with a pending poll is in use
 * (OpenQueues.keepAlive).
 */
export function lastUseOf({ expiresAt, lifespanSecs }: QueueDescriptor): number {
  return expiresAt - lifespanSecs * 1000;
}

function longestIdle(queues: StoredQueue[]): StoredQueue[] {
  const byUse = queues.sort((a, b) => lastUseOf(a.descriptor) - lastUseOf(b.descriptor));
  return byUse.slice(0, Math.max(0, queues.length - MAX_IDLE_QUEUES));
}
