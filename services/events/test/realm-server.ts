import type { Attention, GetSubscribersResponse, Subscriber } from '@parley/shared/proto';
import type { Implementation } from '@parley/shared/rpc';
import { user } from './eg';
import { PeerServer } from './peer-server';

const NO_ATTENTION: Attention = {
  alertWords: [],
  mutedUserIds: [],
  isGuest: false,
  isRestricted: false,
  knownUserIds: [],
};

/** A substitute for realm, with channels and users set by the test. */
export class RealmServer extends PeerServer<'realm'> {
  /** Number of requests for subscribers. */
  questions = 0;
  /** The users whose alert words and mutes were requested, in order. */
  readonly attentionsAsked: number[] = [];
  readonly #channels = new Map<string, GetSubscribersResponse>();
  readonly #guests = new Set<number>();
  readonly #attentions = new Map<number, Attention>();

  /** Delays answers about subscribers, which contain the data from before the delay. */
  #held = Promise.resolve();

  constructor() {
    super('realm');
  }

  knows(realmId: number, channelId: number, version: number, subscribers: Subscriber[]): void {
    this.#channels.set(`${realmId}/${channelId}`, { version, subscribers });
  }

  knowsGuest(userId: number): void {
    this.#guests.add(userId);
  }

  knowsAttention(userId: number, attention: Partial<Attention>): void {
    this.#attentions.set(userId, { ...NO_ATTENTION, ...attention });
  }

  /** Answers about subscribers are given when the returned function is called. */
  holdSubscribers(): () => void {
    let release = () => {};
    this.#held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  protected answers(): Partial<Implementation<'realm'>> {
    return {
      getSubscribers: async (_call, { realmId, channelId }) => {
        this.questions += 1;
        const answer = this.#channels.get(`${realmId}/${channelId}`) ?? { version: 0, subscribers: [] };
        await this.#held;
        return answer;
      },
      getAttentions: async (_call, { users }) => {
        this.attentionsAsked.push(...users.map(({ userId }) => userId));
        return { attentions: users.map(({ userId }) => this.#attentions.get(userId) ?? NO_ATTENTION) };
      },
      getOwnUser: async (call) => {
        const { userId } = call as { userId: number };
        return { ...user(userId), role: this.#guests.has(userId) ? 600 : 400 };
      },
    };
  }
}
