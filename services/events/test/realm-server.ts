import type { Attention, GetSubscribersResponse, Subscriber } from '@parley/shared/proto';
import { type Implementation, type RpcServer, serve } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { user } from './eg';

const NO_ATTENTION: Attention = {
  alertWords: [],
  mutedUserIds: [],
  isGuest: false,
  isRestricted: false,
  knownUserIds: [],
};

/** A realm service that knows what a test tells it about channels and people. */
export class RealmServer {
  /** How often subscribers were asked for. */
  questions = 0;
  /** About whose attention, in order. */
  readonly attentionsAsked: number[] = [];
  readonly #channels = new Map<string, GetSubscribersResponse>();
  readonly #guests = new Set<number>();
  readonly #attentions = new Map<number, Attention>();
  #server: RpcServer | undefined;
  #address = '127.0.0.1:0';

  get address(): string {
    return this.#address;
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

  async start(): Promise<void> {
    this.#server = await serve({
      service: 'realm',
      implementation: this.#implementation(),
      address: this.#address,
      log: silentLogger,
    });
    this.#address = this.#server.address;
  }

  async stop(): Promise<void> {
    await this.#server?.stop(0);
  }

  #implementation(): Implementation<'realm'> {
    const answers: Partial<Implementation<'realm'>> = {
      getSubscribers: async (_call, { realmId, channelId }) => {
        this.questions += 1;
        return this.#channels.get(`${realmId}/${channelId}`) ?? { version: 0, subscribers: [] };
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
    return new Proxy(answers, {
      get: (known, name) =>
        known[name as keyof typeof known] ?? (() => Promise.reject(new Error('not part of this test'))),
    }) as Implementation<'realm'>;
  }
}
