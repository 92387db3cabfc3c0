import type { SubscriptionChanged } from '@parley/shared/events';
import type { Subscriber } from '@parley/shared/proto';

/** Half-open version intervals as their bounds: from, to, from, to, …; an odd number if the last one lasts. */
type Bounds = number[];

/** All present and former subscribers of a channel with their intervals, up to a version. */
export class ChannelSubscribers {
  readonly #bounds: Map<number, Bounds>;
  #trustedUpTo = 0;

  constructor(
    public version: number,
    subscribers: readonly Subscriber[],
  ) {
    this.#bounds = new Map(subscribers.map((subscriber) => [subscriber.userId, boundsOf(subscriber)]));
  }

  get size(): number {
    return this.#bounds.size;
  }

  /** Its weight in a cache: one for the channel, and one per user. */
  get weight(): number {
    return 1 + this.size;
  }

  /** Whether the set is complete for a version. */
  covers(version: number): boolean {
    return version <= this.version || version <= this.#trustedUpTo;
  }

  /** The subscribers are known up to that version. */
  trustUpTo(version: number): void {
    this.#trustedUpTo = Math.max(this.#trustedUpTo, version);
  }

  userIds(): Iterable<number> {
    return this.#bounds.keys();
  }

  /** Whether they were ever subscribed. */
  has(userId: number): boolean {
    return this.#bounds.has(userId);
  }

  /** The present subscribers, as far as known here. */
  isSubscribed(userId: number): boolean {
    return (this.#bounds.get(userId)?.length ?? 0) % 2 === 1;
  }

  /** Whether the user was subscribed at that version. The result never changes: intervals only grow at their end. */
  wasSubscribed(userId: number, version: number): boolean {
    const bounds = this.#bounds.get(userId);
    return bounds !== undefined && isInside(bounds, version);
  }

  /** For several versions: one lookup suffices for a user who was never subscribed. */
  wasSubscribedAtAny(userId: number, versions: readonly number[]): boolean {
    const bounds = this.#bounds.get(userId);
    return bounds !== undefined && versions.some((version) => isInside(bounds, version));
  }

  /** Whether they were subscribed at that version and, as far as known here, have been since. */
  lastsSince(userId: number, version: number): boolean {
    const bounds = this.#bounds.get(userId);
    return bounds !== undefined && bounds.length % 2 === 1 && (bounds.at(-1) as number) <= version;
  }

  /** Advances to the next version; any other change is ignored. */
  advance({ version, subscribedIds, unsubscribedIds }: SubscriptionChanged): void {
    if (version !== this.version + 1) return;
    this.version = version;
    for (const userId of subscribedIds) this.#toggle(userId, false);
    for (const userId of unsubscribedIds) this.#toggle(userId, true);
  }

  #toggle(userId: number, isSubscribed: boolean): void {
    const bounds = this.#bounds.get(userId) ?? [];
    if ((bounds.length % 2 === 1) === isSubscribed) this.#bounds.set(userId, [...bounds, this.version]);
  }
}

/** A version after an odd number of bounds lies inside an interval. */
function isInside(bounds: Bounds, version: number): boolean {
  let passed = 0;
  while (passed < bounds.length && (bounds[passed] as number) <= version) passed += 1;
  return passed % 2 === 1;
}

function boundsOf({ intervals }: Subscriber): Bounds {
  const bounds = intervals.flatMap(({ fromVersion, toVersion }) =>
    toVersion === undefined ? [fromVersion] : [fromVersion, toVersion],
  );
  return bounds.sort((a, b) => a - b);
}
