import type { Chance } from '../base/chance';
import type { LoadCaller } from './load-api';

const PAGE = 100;
/** The share of whole channels among opened views; the rest are topics seen there. */
const CHANNEL_SHARE = 0.5;

interface Term {
  operator: 'channel' | 'topic';
  operand: number | string;
}

interface SeenMessage {
  id: number;
  subject: string;
  flags: string[];
}

/** The messages on one user's screen. */
export class ReadingView {
  channels: readonly number[] = [];
  readonly #topics = new Map<number, string[]>();
  #narrow: readonly Term[] = [];
  #oldestId: number | undefined;

  constructor(
    private readonly caller: LoadCaller,
    private readonly chance: Chance,
  ) {}

  /** Opens a channel or a topic at its first unread message, or at its end, and marks the messages as read. */
  async open(): Promise<void> {
    if (this.channels.length === 0) return;
    const channelId = this.chance.pick(this.channels);
    const narrow = this.#narrowIn(channelId);
    const isAtUnread = this.chance.next() < 0.5;
    const messages = await this.#load('open channel', narrow, {
      anchor: isAtUnread ? 'first_unread' : 'newest',
      num_before: `${isAtUnread ? PAGE / 2 : PAGE}`,
      num_after: `${isAtUnread ? PAGE / 2 : 0}`,
    });
    this.#narrow = narrow;
    this.#oldestId = messages[0]?.id;
    if (messages.length > 0) this.#topics.set(channelId, [...new Set(messages.map(({ subject }) => subject))]);
    await this.#markRead(messages);
  }

  /** The page before the current one. */
  async scroll(): Promise<void> {
    if (this.#oldestId === undefined) return this.open();
    const anchor = `${this.#oldestId}`;
    const older = { anchor, include_anchor: 'false', num_before: `${PAGE}`, num_after: '0' };
    const messages = await this.#load('scroll', this.#narrow, older);
    this.#oldestId = messages[0]?.id;
  }

  #narrowIn(channelId: number): Term[] {
    const channel: Term = { operator: 'channel', operand: channelId };
    const topics = this.#topics.get(channelId);
    if (topics === undefined || this.chance.next() < CHANNEL_SHARE) return [channel];
    return [channel, { operator: 'topic', operand: this.chance.pick(topics) }];
  }

  async #load(operation: 'open channel' | 'scroll', narrow: readonly Term[], page: Record<string, string>) {
    const answer = await this.caller.get(operation, 'messages', { ...page, narrow: JSON.stringify(narrow) });
    return answer === null ? [] : (JSON.parse(answer.toString()) as { messages: SeenMessage[] }).messages;
  }

  async #markRead(messages: readonly SeenMessage[]): Promise<void> {
    const last = messages.at(-1);
    if (!last || messages.every(({ flags }) => flags.includes('read'))) return;
    await this.caller.post('mark read', 'messages/flags/narrow', {
      anchor: `${last.id}`,
      num_before: `${messages.length - 1}`,
      num_after: '0',
      narrow: JSON.stringify(this.#narrow),
      op: 'add',
      flag: 'read',
    });
  }
}
