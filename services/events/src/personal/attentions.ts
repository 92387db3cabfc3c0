import { batched } from '@parley/shared/batch';
import type { AlertWordsChanged, MutedUsersChanged } from '@parley/shared/events';
import type { Attention as KnownAttention, UserOfRealm } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import { askUntilAnswered } from '../base/ask-until-answered';
import { Attention } from './attention';

/** A guest may see tens of thousands of users: an answer must not exceed the maximum size of a message. */
const ASKED_AT_ONCE = 100;

interface AttentionsOptions {
  realm: Pick<RpcClient<'realm'>, 'getAttentions'>;
  log: Logger;
  stopping: AbortSignal;
}

/** Alert words, mutes and visible users of the owners of this pod's queues. Loaded on first use, kept up to date by events. */
export class Attentions {
  #known = new Map<string, Attention>();
  /** Already updated by events while realm is being asked. */
  #loading = new Map<string, { attention: Attention; isLoaded: Promise<Attention> }>();
  readonly #ask: (user: UserOfRealm) => Promise<KnownAttention>;

  constructor(private readonly options: AttentionsOptions) {
    const { realm } = options;
    this.#ask = batched(async (users) => (await realm.getAttentions(newCall(), { users })).attentions, {
      maxItems: ASKED_AT_ONCE,
      maxInFlight: 2,
    });
  }

  /** A user's attention, fetched if unknown: the caller waits while realm is unreachable. */
  async of({ realmId, userId }: UserOfRealm): Promise<Attention> {
    const key = keyOf(realmId, userId);
    const known = this.#known.get(key);
    if (known) return known;
    let loading = this.#loading.get(key);
    if (loading === undefined) {
      const attention = new Attention();
      loading = { attention, isLoaded: this.#load(attention, { realmId, userId }) };
      this.#loading.set(key, loading);
    }
    return loading.isLoaded;
  }

  changeRole(realmId: number, userId: number, role: number): void {
    this.#followed(realmId, userId)?.changeRole(role);
  }

  changeAlertWords(realmId: number, change: AlertWordsChanged): void {
    this.#followed(realmId, change.userId)?.changeAlertWords(change);
  }

  changeMutedUsers(realmId: number, change: MutedUsersChanged, position: number): void {
    this.#followed(realmId, change.userId)?.changeMutedUsers(change, position);
  }

  /** Guests can see a user now, or no longer. */
  changeKnown(realmId: number, guestIds: readonly number[], userId: number, isKnown: boolean): void {
    for (const guestId of guestIds) this.#followed(realmId, guestId)?.changeKnown(userId, isKnown);
  }

  /** A new user is visible to everybody except these guests. */
  welcome(realmId: number, userId: number, strangerIds: readonly number[]): void {
    const strangers = new Set(strangerIds.map((strangerId) => keyOf(realmId, strangerId)));
    const isOfRealm = (key: string) => key.startsWith(keyOf(realmId, ''));
    const greet = (key: string, attention: Attention) => {
      if (isOfRealm(key) && !strangers.has(key)) attention.changeKnown(userId, true);
    };
    for (const [key, attention] of this.#known) greet(key, attention);
    for (const [key, { attention }] of this.#loading) greet(key, attention);
  }

  /** The users visible to this one have changed: new queues load them again. */
  forget(realmId: number, userId: number): void {
    const key = keyOf(realmId, userId);
    this.#known.delete(key);
    this.#loading.delete(key);
  }

  /** Keeps only the entries of users with queues here. */
  keepOnly(users: Iterable<UserOfRealm>): void {
    const kept = new Map<string, Attention>();
    for (const { realmId, userId } of users) {
      const key = keyOf(realmId, userId);
      const attention = this.#known.get(key);
      if (attention) kept.set(key, attention);
    }
    this.#known = kept;
  }

  /** Events were missed: everything is loaded again. */
  forgetAll(): void {
    this.#known = new Map();
    this.#loading = new Map();
  }

  #followed(realmId: number, userId: number): Attention | undefined {
    const key = keyOf(realmId, userId);
    return this.#known.get(key) ?? this.#loading.get(key)?.attention;
  }

  async #load(attention: Attention, user: UserOfRealm): Promise<Attention> {
    const key = keyOf(user.realmId, user.userId);
    try {
      attention.adopt(
        await askUntilAnswered(this.options, 'realm for what a user is alerted to', () => this.#ask(user)),
      );
      // Not when events were missed meanwhile.
      if (this.#loading.get(key)?.attention === attention) this.#known.set(key, attention);
      return attention;
    } finally {
      if (this.#loading.get(key)?.attention === attention) this.#loading.delete(key);
    }
  }
}

function keyOf(realmId: number, userId: number | ''): string {
  return `${realmId}/${userId}`;
}
