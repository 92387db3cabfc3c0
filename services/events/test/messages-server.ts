import type { PersonalFlags } from '@parley/shared/proto';
import type { Implementation } from '@parley/shared/rpc';
import { PeerServer } from './peer-server';

const NOTHING: PersonalFlags = { isRead: false, isStarred: false, isCollapsed: false };

/** A messages service that knows what a test tells it about people's flags. */
export class MessagesServer extends PeerServer<'messages'> {
  /** How many questions each call had. */
  readonly calls: number[] = [];
  readonly #flags = new Map<string, PersonalFlags>();
  #failures = 0;
  #held: Promise<void> | undefined;

  constructor() {
    super('messages');
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

  protected answers(): Partial<Implementation<'messages'>> {
    return {
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
  }
}
