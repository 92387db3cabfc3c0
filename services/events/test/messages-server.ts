import type { PersonalFlags } from '@parley/shared/proto';
import type { Implementation } from '@parley/shared/rpc';
import { PeerServer } from './peer-server';

const NOTHING: PersonalFlags = { isRead: false, isStarred: false, isCollapsed: false };

/** A substitute for messages, with users' flags set by the test. */
export class MessagesServer extends PeerServer<'messages'> {
  /** Number of questions in each call. */
  readonly calls: number[] = [];
  /** The channels in each request for first messages. */
  readonly askedChannels: number[][] = [];
  readonly #firstMessages = new Map<number, number>();
  readonly #flags = new Map<string, PersonalFlags>();
  #failures = 0;
  #held: Promise<void> | undefined;

  constructor() {
    super('messages');
  }

  knowsFlags(userId: number, messageId: number, flags: Partial<PersonalFlags>): void {
    this.#flags.set(`${userId}/${messageId}`, { ...NOTHING, ...flags });
  }

  knowsFirstMessage(channelId: number, messageId: number): void {
    this.#firstMessages.set(channelId, messageId);
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
        await this.#turn();
        return {
          flags: questions.map(({ userId, messageId }) => this.#flags.get(`${userId}/${messageId}`) ?? NOTHING),
        };
      },
      getChannelActivity: async (_call, { channelIds }) => {
        this.askedChannels.push([...channelIds]);
        await this.#turn();
        const known = channelIds.filter((id) => this.#firstMessages.has(id));
        const firstMessageOf = (id: number) => this.#firstMessages.get(id) as number;
        return {
          activities: known.map((id) => ({ channelId: id, firstMessageId: firstMessageOf(id), hasNamedTopics: false })),
        };
      },
    };
  }

  async #turn(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    await held;
    this.#failures -= 1;
    if (this.#failures >= 0) throw new Error('messages is not well');
  }
}
