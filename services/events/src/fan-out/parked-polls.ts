import type { PendingPoll } from '../queues/pending-poll';
import type { Queue } from '../queues/queue';

const NONE: readonly PendingPoll[] = [];

/** The parked polls of one organization, by user: queues without a poll cost nothing. */
export class ParkedPolls {
  /** Most users have one poll, stored without a set, which would take as much memory as the rest. */
  readonly #byUser = new Map<number, PendingPoll | Set<PendingPoll>>();
  readonly #wide = new Set<PendingPoll>();

  add(poll: PendingPoll, { descriptor }: Queue): void {
    const { userId, isWide } = descriptor;
    const polls = this.#byUser.get(userId);
    if (polls === undefined) this.#byUser.set(userId, poll);
    else if (polls instanceof Set) polls.add(poll);
    else this.#byUser.set(userId, new Set([polls, poll]));
    if (isWide) this.#wide.add(poll);
  }

  remove(poll: PendingPoll, { descriptor: { userId } }: Queue): void {
    const polls = this.#byUser.get(userId);
    if (polls instanceof Set) polls.delete(poll);
    if (polls === poll || (polls instanceof Set && polls.size === 0)) this.#byUser.delete(userId);
    this.#wide.delete(poll);
  }

  get userCount(): number {
    return this.#byUser.size;
  }

  userIds(): Iterable<number> {
    return this.#byUser.keys();
  }

  of(userId: number): Iterable<PendingPoll> {
    const polls = this.#byUser.get(userId);
    if (polls === undefined) return NONE;
    return polls instanceof Set ? polls : [polls];
  }

  *all(): Generator<PendingPoll> {
    for (const userId of this.#byUser.keys()) yield* this.of(userId);
  }

  /** Polls of wide queues, which are offered every message of a public channel. */
  wide(): Iterable<PendingPoll> {
    return this.#wide;
  }
}
