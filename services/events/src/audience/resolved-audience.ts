import type { Audience, Condition } from '@parley/shared/events';
import type { ChannelSubscribers } from './channel-subscribers';

/**
 * A user's relation to an event. `receiver`: it is for them. `holder`: they have the message, or a flag on it, without a
 * subscription to the public channel: they get the event unless they are guests. `listener`: their wide queues may get it.
 * `stranger`: none of these.
 */
export type Relation = 'receiver' | 'holder' | 'listener' | 'stranger';

/** The facts that determine a user's flags on the event's message, besides their own flags. */
export interface Copy {
  /** Wildcard mentions in the message include this user. */
  isReceived: boolean;
  /** They are in the channel of the message; otherwise it is read. */
  isThere: boolean;
  /** Received by subscriptions that have lasted since: unread until marked as read. */
  isLasting: boolean;
}

const OWN_COPY: Copy = { isReceived: true, isThere: true, isLasting: true };
const NO_COPY: Copy = { isReceived: false, isThere: false, isLasting: false };

export interface ChannelVersion {
  channelId: number;
  version: number;
}

/** The subscribers of a resolved audience’s channels, in their order; undefined unless all are known. */
export type KnownSubscribers = readonly ChannelSubscribers[] | undefined;

const NOBODY: ReadonlySet<number> = new Set();

const resolvedAudiences = new WeakMap<Audience, ResolvedAudience>();

/** Resolves an audience once: events announced together share one Audience object. */
export function resolveAudience(audience: Audience): ResolvedAudience {
  let resolved = resolvedAudiences.get(audience);
  if (resolved === undefined) {
    resolved = new ResolvedAudience(audience);
    resolvedAudiences.set(audience, resolved);
  }
  return resolved;
}

/** An audience for evaluating many users: its lists are sets, so the cost per user does not depend on the number of receivers. */
export class ResolvedAudience {
  /**
   * The channels whose subscribers matter, unless the event names users: those of the rule, of its conditions, and of holders.
   */
  readonly channels: readonly ChannelVersion[];
  readonly #audience: Audience;
  readonly #namedIds: ReadonlySet<number>;
  readonly #exceptIds: ReadonlySet<number>;
  readonly #holderIds: ReadonlySet<number>;
  readonly #conditions: readonly Condition[];
  readonly #receivedAt: readonly ChannelVersion[];
  readonly #place: ChannelVersion | undefined;
  readonly #heldAt: readonly ChannelVersions[];

  constructor(audience: Audience) {
    this.#audience = audience;
    const rule: Partial<SubscribersAudience> = audience.to === 'subscribers' ? audience : {};
    const { conditions = [], receivedAt = [], place, heldAt = [], holderIds } = rule;
    this.#conditions = conditions;
    this.#receivedAt = receivedAt;
    this.#place = place;
    this.#heldAt = heldAt;
    const deciding = [...conditions.map(latestOf), ...receivedAt, ...(place ? [place] : []), ...heldAt.map(latestOf)];
    this.channels = audience.to === 'subscribers' ? [audience, ...deciding] : [];
    this.#namedIds = setOf(namedIn(audience));
    this.#exceptIds = audience.to === 'users' ? NOBODY : setOf(audience.exceptIds);
    this.#holderIds = setOf(holderIds);
  }

  /** A user's relation to the event; undefined if the subscribers of all `channels` are needed, and are not known. */
  relationOf(userId: number, subscribers: KnownSubscribers): Relation | undefined {
    if (this.#exceptIds.has(userId)) return 'stranger';
    const isNamed = this.#namedIds.has(userId);
    if (this.#audience.to === 'realm' || (isNamed && this.#receivedAt.length === 0)) return 'receiver';
    if (this.#audience.to === 'users') return 'stranger';
    if (subscribers === undefined) return undefined;
    if (isNamed) return 'receiver';
    if (!this.#meetsConditions(userId, subscribers)) return 'stranger';
    if (subscribers[0]?.wasSubscribed(userId, this.#audience.version)) return 'receiver';
    if (this.#holds(userId, subscribers)) return this.#audience.isOpenToGuests ? 'receiver' : 'holder';
    return this.#audience.isPublic ? 'listener' : 'stranger';
  }

  /** A user's copy of the event's message; all receivers have a direct message. */
  copyOf(userId: number, subscribers: KnownSubscribers): Copy {
    if (this.#audience.to !== 'subscribers') return OWN_COPY;
    if (subscribers === undefined) return NO_COPY;
    const first = 1 + this.#conditions.length;
    const versions = this.#receivedAt.length > 0 ? this.#receivedAt : [this.#audience];
    const sets = this.#receivedAt.length > 0 ? subscribers.slice(first) : subscribers;
    const place = this.#place ? subscribers[first + this.#receivedAt.length] : subscribers[0];
    const isReceived = versions.every(({ version }, index) => sets[index]?.wasSubscribed(userId, version));
    const lasts = () => versions.every(({ version }, index) => sets[index]?.lastsSince(userId, version));
    return { isReceived, isThere: place?.isSubscribed(userId) === true, isLasting: isReceived && lasts() };
  }

  /** The `known` users that may be receivers or holders, each once, iterating over the smaller set. */
  candidates(known: ReadonlyUsers, subscribers: KnownSubscribers): Iterable<number> {
    const sets = subscribers ? this.#setsOfCandidates(subscribers) : [];
    const reached = sets.reduce((sum, { size }) => sum + size, this.#namedIds.size + this.#holderIds.size);
    if (this.#audience.to === 'realm' || reached >= known.userCount) return known.userIds();
    return this.#everyone(sets);
  }

  #meetsConditions(userId: number, subscribers: readonly ChannelSubscribers[]): boolean {
    return this.#conditions.every(
      ({ versions, wereSubscribed }, index) =>
        (subscribers[1 + index]?.wasSubscribedAtAny(userId, versions) ?? false) === wereSubscribed,
    );
  }

  #holds(userId: number, subscribers: readonly ChannelSubscribers[]): boolean {
    if (this.#holderIds.has(userId)) return true;
    const first = subscribers.length - this.#heldAt.length;
    return this.#heldAt.some(({ versions }, index) => subscribers[first + index]?.wasSubscribedAtAny(userId, versions));
  }

  /** Subscribers of the channel, and of the channels that its messages came from. */
  #setsOfCandidates(subscribers: readonly ChannelSubscribers[]): readonly ChannelSubscribers[] {
    const holders = this.#heldAt.length > 0 ? subscribers.slice(-this.#heldAt.length) : [];
    return [...new Set([...subscribers.slice(0, 1), ...holders])];
  }

  *#everyone(sets: readonly ChannelSubscribers[]): Generator<number> {
    const named = new Set([...this.#namedIds, ...this.#holderIds]);
    yield* named;
    for (const [index, set] of sets.entries()) {
      const earlier = sets.slice(0, index);
      for (const userId of set.userIds())
        if (!named.has(userId) && !earlier.some((other) => other.has(userId))) yield userId;
    }
  }
}

/** An iterable set of users with its size. */
interface ReadonlyUsers {
  readonly userCount: number;
  userIds(): Iterable<number>;
}

type SubscribersAudience = Extract<Audience, { to: 'subscribers' }>;

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
