import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryMark, Figures } from './figures';
import { eventsIn, type LoadCaller, stateIn } from './load-api';

/** The pause after a request's answer, by kind. Four users send about 20 messages a second. */
const SEND_PAUSE_MS = 150;
const READ_PAUSE_MS = 300;
const TYPE_PAUSE_MS = 500;
/** The pause before a failed poll is repeated. */
const RETRY_MS = 1_000;
const TOPIC = 'steady';

export interface SteadyUserOptions {
  caller: LoadCaller;
  figures: Figures;
  mark: DeliveryMark;
}

/**
 * Registers, then listens, sends, reads and types without end, in one topic: finds requests that fail although nothing is wrong.
 */
export class SteadyUser {
  readonly #stopping = new AbortController();
  #queueId = '';
  #lastEventId = -1;
  #channelId = '';

  constructor(private readonly options: SteadyUserOptions) {}

  async register(): Promise<boolean> {
    const answer = await this.options.caller.post('register', 'register', { include_subscribers: 'false' });
    if (answer === null) return false;
    const { queueId, lastEventId, channelIds } = stateIn(answer);
    this.#queueId = queueId;
    this.#lastEventId = lastEventId;
    this.#channelId = String(Math.min(...channelIds));
    return true;
  }

  start(): void {
    void this.#listen();
    void this.#repeat(SEND_PAUSE_MS, () => this.#send());
    void this.#repeat(READ_PAUSE_MS, () => this.#read());
    void this.#repeat(TYPE_PAUSE_MS, () => this.#type());
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.options.caller.close();
  }

  async #repeat(pauseMs: number, work: () => Promise<unknown>): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await work();
      await this.#pause(pauseMs);
    }
  }

  /** Without an idempotency key: the gateway repeats lost calls. */
  #send(): Promise<unknown> {
    const content = this.options.mark.write();
    return this.options.caller.post('send', 'messages', {
      type: 'channel',
      to: this.#channelId,
      topic: TOPIC,
      content,
    });
  }

  #read(): Promise<unknown> {
    const narrow = JSON.stringify([{ operator: 'channel', operand: Number(this.#channelId) }]);
    const query = { anchor: 'newest', num_before: '50', num_after: '0', narrow };
    return this.options.caller.get('open channel', 'messages', query);
  }

  #type(): Promise<unknown> {
    const form = { type: 'channel', stream_id: this.#channelId, topic: TOPIC, op: 'start' };
    return this.options.caller.post('type', 'typing', form);
  }

  async #listen(): Promise<void> {
    const { caller, figures, mark } = this.options;
    while (!this.#stopping.signal.aborted) {
      const answer = await caller.poll(this.#queueId, this.#lastEventId);
      const nowMs = performance.now();
      for (const { id, message } of answer ? eventsIn(answer) : []) {
        this.#lastEventId = id;
        const sentAtMs = mark.read(message?.content ?? '');
        if (sentAtMs !== undefined) figures.note('delivery', nowMs - sentAtMs);
      }
      if (answer === null) await this.#pause(RETRY_MS);
    }
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}
