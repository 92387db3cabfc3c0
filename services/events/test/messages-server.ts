import type { PersonalFlags } from '@parley/shared/proto';
import { type Implementation, type RpcServer, serve } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';

const NOTHING: PersonalFlags = { isRead: false, isStarred: false, isCollapsed: false };

/** A messages service that knows what a test tells it about people's flags. */
export class MessagesServer {
  /** How many questions each call had. */
  readonly calls: number[] = [];
  readonly #flags = new Map<string, PersonalFlags>();
  #failures = 0;
  #held: Promise<void> | undefined;
  #server: RpcServer | undefined;
  #address = '127.0.0.1:0';

  get address(): string {
    return this.#address;
  }

  knowsFlags(userId: number, messageId: number, flags: Partial<PersonalFlags>): void {
    this.#flags.set(`${userId}/${messageId}`, { ...NOTHING, ...flags });
  }

  failNext(count: number): void {
    this.#failures = count;
  }

  /** The next call is answered when the result is called. */
  holdNext(): () => void {
    let release = () => {};
    this.#held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  async start(): Promise<void> {
    this.#server = await serve({
      service: 'messages',
      implementation: this.#implementation(),
      address: this.#address,
      log: silentLogger,
    });
    this.#address = this.#server.address;
  }

  async stop(): Promise<void> {
    await this.#server?.stop(0);
  }

  #implementation(): Implementation<'messages'> {
    const answers: Partial<Implementation<'messages'>> = {
      getPersonalFlags: async (_call, { questions }) => {
        this.calls.push(questions.length);
        const held = this.#held;
        this.#held = undefined;
        await held;
        this.#failures -= 1;
        if (this.#failures >= 0) throw new Error('messages is not well');
        return {
          flags: questions.map(({ userId, messageId }) => this.#flags.get(`${userId}/${messageId}`) ?? NOTHING),
        };
      },
    };
    return new Proxy(answers, {
      get: (known, name) =>
        known[name as keyof typeof known] ?? (() => Promise.reject(new Error('not part of this test'))),
    }) as Implementation<'messages'>;
  }
}
