import type { Audience, Condition } from '@parley/shared/events';
import type { ChannelSubscribers } from './channel-subscribers';

/**
 * What a user is to an event: it is for them; it is for them, though they do not have the message; wide queues of theirs may hear it;
 * it is none of their business.
 */
export type Relation = 'receiver' | 'onlooker' | 'listener' | 'stranger';

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
  /** Whose subscribers decide, if it is not said without them: those of the rule, of its conditions, of who has the message. */
  readonly channels: readonly ChannelVersion[];
  readonly #audience: Audience;
  readonly #namedIds: ReadonlySet<number>;
  readonly #exceptIds: ReadonlySet<number>;
  readonly #receivedAt: readonly ChannelVersion[];

  constructor(audience: Audience) {
    this.#audience = audience;
    this.channels = audience.to === 'subscribers' ? channelsOf(audience) : [];
    this.#namedIds = setOf(namedIn(audience));
    this.#receivedAt = (audience.to === 'subscribers' && audience.receivedAt) || [];
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
    return this.#audience.isPublic ? 'listener' : 'stranger';
  }

  /** Of the `known` users those who may be receivers, each once: found from the smaller side. */
  candidates(known: ReadonlyUsers, subscribers: Known): Iterable<number> {
    const reached = this.#namedIds.size + (subscribers?.[0]?.size ?? 0);
    if (this.#audience.to === 'realm' || reached >= known.userCount) return known.userIds();
    return this.#everyone(subscribers?.[0]);
  }

  #meetsConditions(userId: number, subscribers: readonly ChannelSubscribers[]): boolean {
    const { conditions = [] } = this.#audience as { conditions?: readonly Condition[] };
    return conditions.every(({ versions, wereSubscribed }, index) => {
      const channel = subscribers[index + 1];
      return versions.some((version) => channel?.wasSubscribed(userId, version)) === wereSubscribed;
    });
  }

  #hasReceived(userId: number, subscribers: readonly ChannelSubscribers[]): boolean {
    const known = subscribers.slice(subscribers.length - this.#receivedAt.length);
    return this.#receivedAt.every(({ version }, index) => known[index]?.wasSubscribed(userId, version));
  }

  *#everyone(subscribers: ChannelSubscribers | undefined): Generator<number> {
    yield* this.#namedIds;
    for (const userId of subscribers?.userIds() ?? NOBODY) if (!this.#namedIds.has(userId)) yield userId;
  }
}

/** Users that can be gone through, and how many they are. */
export interface ReadonlyUsers {
  readonly userCount: number;
  userIds(): Iterable<number>;
}

function channelsOf(audience: Extract<Audience, { to: 'subscribers' }>): ChannelVersion[] {
  const { conditions = [], receivedAt = [] } = audience;
  return [audience, ...conditions.map(latestOf), ...receivedAt];
}

function latestOf({ channelId, versions }: Condition): ChannelVersion {
  return { channelId, version: Math.max(...versions) };
}

function namedIn(audience: Audience): readonly number[] | undefined {
  if (audience.to === 'users') return audience.userIds;
  return audience.to === 'subscribers' ? audience.alsoIds : undefined;
}

function setOf(ids: readonly number[] = []): ReadonlySet<number> {
  return ids.length === 0 ? NOBODY : new Set(ids);
}
