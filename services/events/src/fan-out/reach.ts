import type { Audience, Condition } from '@parley/shared/events';
import type { ChannelSubscribers } from './channel-subscribers';

/**
 * What a user is to an event: it is for them; it is for them, though they do not have the message; they have it, though they have left
 * the public channel, so it is for them unless they are guests; wide queues of theirs may hear it; it is none of their business.
 */
export type Relation = 'receiver' | 'onlooker' | 'holder' | 'listener' | 'stranger';

export interface ChannelVersion {
  channelId: number;
  version: number;
}

/** The subscribers of a reach's channels, in their order; undefined unless all are known. */
export type Known = readonly ChannelSubscribers[] | undefined;

const NOBODY: ReadonlySet<number> = new Set();

const reaches = new WeakMap<Audience, Reach>();

/** The reach of an audience, made once: events that happened together have the very same audience. */
export function reachOf(audience: Audience): Reach {
  let reach = reaches.get(audience);
  if (reach === undefined) {
    reach = new Reach(audience);
    reaches.set(audience, reach);
  }
  return reach;
}

/** An audience that answers for one user after another: its lists are sets, whatever the number of receivers. */
export class Reach {
  /** Whose subscribers decide, if it is not said without them: those of the rule, of its conditions, of who has the messages. */
  readonly channels: readonly ChannelVersion[];
  readonly #audience: Audience;
  readonly #namedIds: ReadonlySet<number>;
  readonly #exceptIds: ReadonlySet<number>;
  readonly #conditions: readonly Condition[];
  readonly #receivedAt: readonly ChannelVersion[];
  readonly #heldAt: readonly ChannelVersions[];

  constructor(audience: Audience) {
    this.#audience = audience;
    const { conditions = [], receivedAt = [], heldAt = [] } = audience.to === 'subscribers' ? audience : {};
    this.#conditions = conditions;
    this.#receivedAt = receivedAt;
    this.#heldAt = heldAt;
    const deciding = [...conditions.map(latestOf), ...receivedAt, ...heldAt.map(latestOf)];
    this.channels = audience.to === 'subscribers' ? [audience, ...deciding] : [];
    this.#namedIds = setOf(namedIn(audience));
    this.#exceptIds = audience.to === 'users' ? NOBODY : setOf(audience.exceptIds);
  }

  /** A user's relation to the event; undefined when the subscribers of all `channels` are to be known for it, and are not. */
  relationOf(userId: number, subscribers: Known): Relation | undefined {
    if (this.#exceptIds.has(userId)) return 'stranger';
    const isNamed = this.#namedIds.has(userId);
    if (this.#audience.to === 'realm' || (isNamed && this.#receivedAt.length === 0)) return 'receiver';
    if (this.#audience.to === 'users') return 'stranger';
    if (subscribers === undefined) return undefined;
    if (!isNamed && !this.#meetsConditions(userId, subscribers)) return 'stranger';
    if (isNamed || subscribers[0]?.wasSubscribed(userId, this.#audience.version))
      return this.#hasReceived(userId, subscribers) ? 'receiver' : 'onlooker';
    if (this.#holds(userId, subscribers)) return this.#audience.isOpenToGuests ? 'receiver' : 'holder';
    return this.#audience.isPublic ? 'listener' : 'stranger';
  }

  /** Of the `known` users those who may be receivers or holders, each once: found from the smaller side. */
  candidates(known: ReadonlyUsers, subscribers: Known): Iterable<number> {
    const sets = subscribers ? this.#setsOfCandidates(subscribers) : [];
    const reached = sets.reduce((sum, { size }) => sum + size, this.#namedIds.size);
    if (this.#audience.to === 'realm' || reached >= known.userCount) return known.userIds();
    return this.#everyone(sets);
  }

  #meetsConditions(userId: number, subscribers: readonly ChannelSubscribers[]): boolean {
    return this.#conditions.every(
      ({ versions, wereSubscribed }, index) =>
        (subscribers[1 + index]?.wasSubscribedAtAny(userId, versions) ?? false) === wereSubscribed,
    );
  }

  #hasReceived(userId: number, subscribers: readonly ChannelSubscribers[]): boolean {
    const first = 1 + this.#conditions.length;
    return this.#receivedAt.every(({ version }, index) => subscribers[first + index]?.wasSubscribed(userId, version));
  }

  #holds(userId: number, subscribers: readonly ChannelSubscribers[]): boolean {
    const first = 1 + this.#conditions.length + this.#receivedAt.length;
    return this.#heldAt.some(({ versions }, index) => subscribers[first + index]?.wasSubscribedAtAny(userId, versions));
  }

  /** Of the channel, and of those that its messages came from. */
  #setsOfCandidates(subscribers: readonly ChannelSubscribers[]): readonly ChannelSubscribers[] {
    const holders = this.#heldAt.length > 0 ? subscribers.slice(-this.#heldAt.length) : [];
    return [...new Set([...subscribers.slice(0, 1), ...holders])];
  }

  *#everyone(sets: readonly ChannelSubscribers[]): Generator<number> {
    yield* this.#namedIds;
    for (const [index, set] of sets.entries()) {
      const earlier = sets.slice(0, index);
      for (const userId of set.userIds())
        if (!this.#namedIds.has(userId) && !earlier.some((other) => other.has(userId))) yield userId;
    }
  }
}

/** Users that can be gone through, and how many they are. */
export interface ReadonlyUsers {
  readonly userCount: number;
  userIds(): Iterable<number>;
}

interface ChannelVersions {
  channelId: number;
  versions: readonly number[];
}

function latestOf({ channelId, versions }: ChannelVersions): ChannelVersion {
  return { channelId, version: versions.reduce((latest, version) => Math.max(latest, version)) };
}

function namedIn(audience: Audience): readonly number[] | undefined {
  if (audience.to === 'users') return audience.userIds;
  return audience.to === 'subscribers' ? audience.alsoIds : undefined;
}

function setOf(ids: readonly number[] = []): ReadonlySet<number> {
  return ids.length === 0 ? NOBODY : new Set(ids);
}
