import { lastUseOf } from './find-surplus';
import type { Queue } from './queue';

/** What the descriptions of a user's queues may take up on a pod: some 20,000 queues of a usual client. */
const MAX_BYTES = 16 * 1024 ** 2;
/** When the bound is reached so much goes at once, so that choosing costs little per queue. */
const DROPPED_SHARE = 1 / 16;

interface Owned {
  bytes: number;
  readonly queues: Set<Queue>;
}

/** The queues that a pod knows, by user: nobody takes up more of it than a share, however fast they make new ones. */
export class OwnedQueues {
  readonly #owned = new Map<string, Owned>();

  add(queue: Queue): void {
    const owned = this.#of(queue) ?? { bytes: 0, queues: new Set() };
    if (owned.queues.has(queue)) return;
    owned.bytes += queue.byteLength;
    owned.queues.add(queue);
    this.#owned.set(ownerOf(queue), owned);
  }

  remove(queue: Queue): void {
    const owned = this.#of(queue);
    if (!owned?.queues.delete(queue)) return;
    owned.bytes -= queue.byteLength;
    if (owned.queues.size === 0) this.#owned.delete(ownerOf(queue));
  }

  /** Of all that the owner of a queue has here those that have to go: idle longest, and not polled now. */
  surplusBeside(queue: Queue): Queue[] {
    const owned = this.#of(queue);
    if (owned === undefined || owned.bytes <= MAX_BYTES) return [];
    const idle = [...owned.queues].filter((other) => other !== queue && other.poll === undefined);
    idle.sort((a, b) => lastUseOf(a.descriptor) - lastUseOf(b.descriptor));
    let surplusBytes = owned.bytes - MAX_BYTES * (1 - DROPPED_SHARE);
    return idle.filter(({ byteLength }) => {
      const isSurplus = surplusBytes > 0;
      surplusBytes -= byteLength;
      return isSurplus;
    });
  }

  #of(queue: Queue): Owned | undefined {
    return this.#owned.get(ownerOf(queue));
  }
}

function ownerOf({ descriptor: { realmId, userId } }: Queue): string {
  return `${realmId}/${userId}`;
}
