import type { PendingPoll } from '../queues/pending-poll';
import type { Queue } from '../queues/queue';

const NONE: ReadonlySet<PendingPoll> = new Set();

/** The parked polls of one organization, by user: queues without a poll cost nothing. */
export class ParkedPolls {
  readonly #byUser = new Map<number, Set<PendingPoll>>();
  readonly #wide = new Set<PendingPoll>();

  add(poll: PendingPoll, { descriptor }: Queue): void {
    const polls = this.#byUser.get(descriptor.userId);
    if (polls) polls.add(poll);
    else this.#byUser.set(descriptor.userId, new Set([poll]));
    if (descriptor.isWide) this.#wide.add(poll);
  }

  remove(poll: PendingPoll, { descriptor }: Queue): void {
    const polls = this.#byUser.get(descriptor.userId);
    polls?.delete(poll);
    if (polls?.size === 0) this.#byUser.delete(descriptor.userId);
    this.#wide.delete(poll);
  }

  get userCount(): number {
    return this.#byUser.size;
  }

  userIds(): Iterable<number> {
    return this.#byUser.keys();
  }

  of(userId: number): Iterable<PendingPoll> {
    return this.#byUser.get(userId) ?? NONE;
  }

  *all(): Generator<PendingPoll> {
    for (const polls of this.#byUser.values()) yield* polls;
  }

  /** Those whose queues are offered every message of a public channel. */
  wide(): Iterable<PendingPoll> {
    return this.#wide;
  }
}
