import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../base/chance';
import type { DeliveryMark, Figures } from './figures';
import { eventsIn, type LoadAccount, type LoadCaller, type LoadEvent, stateIn } from './load-api';
import { ReadingView } from './reading-view';

/** The actions per minute of one user of a large chat server; most are reading. */
const PER_MINUTE = { openChannel: 7, scroll: 2, send: 1, presence: 1 } as const;
const ACTIONS = Object.entries(PER_MINUTE) as [keyof typeof PER_MINUTE, number][];
const ALL_PER_MINUTE = ACTIONS.reduce((sum, [, perMinute]) => sum + perMinute, 0);
/** The share of messages to one person. */
const DIRECT_SHARE = 0.2;
const TOPICS = ['lunch', 'planning', 'incidents', 'reviews', 'introductions'];
const TYPING_MS = 2_000;
/** The pause before a failed poll is repeated. */
const RETRY_MS = 1_000;

export interface UserOptions {
  account: LoadAccount;
  /** Receivers of its direct messages. */
  people: readonly LoadAccount[];
  caller: LoadCaller;
  chance: Chance;
  figures: Figures;
  mark: DeliveryMark;
}

/** Registers, then listens, reads and writes until it is stopped. */
export class SimulatedUser {
  readonly #view: ReadingView;
  readonly #stopping = new AbortController();
  #queueId = '';
  #lastEventId = -1;
  #sent = 0;

  constructor(private readonly options: UserOptions) {
    this.#view = new ReadingView(options.caller, options.chance);
  }

  /** Registers a queue with the state that a client needs, and reports the user's presence; false when there is no queue. */
  async register(): Promise<boolean> {
    const { caller } = this.options;
    const answer = await caller.post('register', 'register', {
      apply_markdown: 'true',
      client_gravatar: 'true',
      slim_presence: 'true',
      include_subscribers: 'false',
      client_capabilities:
        '{"notification_settings_null":true,"bulk_message_deletion":true,"user_list_incomplete":true}',
    });
    if (answer === null) return false;
    const { queueId, lastEventId, channelIds } = stateIn(answer);
    this.#queueId = queueId;
    this.#lastEventId = lastEventId;
    this.#view.channels = channelIds;
    await this.#report();
    return true;
  }

  /** Starts polling and acting; called after registering. */
  start(): void {
    void this.#listen();
    void this.#act();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.options.caller.close();
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #listen(): Promise<void> {
    const { caller } = this.options;
    while (!this.#isStopping) {
      const answer = await caller.poll(this.#queueId, this.#lastEventId);
      if (answer) this.#take(eventsIn(answer));
      else await this.#recover();
    }
  }

  #take(events: readonly LoadEvent[]): void {
    const nowMs = performance.now();
    for (const { id, message } of events) {
      this.#lastEventId = id;
      const sentAtMs = message && this.options.mark.read(message.content);
      if (sentAtMs !== undefined) this.options.figures.note('delivery', nowMs - sentAtMs);
    }
  }

  async #recover(): Promise<void> {
    await this.#pause(RETRY_MS);
    if (!this.#isStopping) await this.register();
  }

  /** Actions start on time, whether or not the last one was answered: a slow server gets no pause. */
  async #act(): Promise<void> {
    const { chance } = this.options;
    for (;;) {
      await this.#pause(chance.pauseMs(ALL_PER_MINUTE));
      if (this.#isStopping) return;
      void this.#do(this.#choose());
    }
  }

  #choose(): keyof typeof PER_MINUTE {
    let rest = this.options.chance.next() * ALL_PER_MINUTE;
    for (const [action, perMinute] of ACTIONS) {
      rest -= perMinute;
      if (rest < 0) return action;
    }
    return 'openChannel';
  }

  #do(action: keyof typeof PER_MINUTE): Promise<unknown> {
    switch (action) {
      case 'openChannel':
        return this.#view.open();
      case 'scroll':
        return this.#view.scroll();
      case 'send':
        return this.#send();
      case 'presence':
        return this.#report();
    }
  }

  /** Clients report presence when they are opened, and then each minute. */
  #report(): Promise<unknown> {
    return this.options.caller.post('presence', 'users/me/presence', { status: 'active', ping_only: 'true' });
  }

  async #send(): Promise<void> {
    const { caller, mark } = this.options;
    const target = this.#target();
    if (!target) return;
    await caller.post('type', 'typing', { ...target.typing, op: 'start' });
    await this.#pause(TYPING_MS);
    if (this.#isStopping) return;
    this.#sent += 1;
    const identity = { queue_id: this.#queueId, local_id: `${this.#sent}` };
    await caller.post('send', 'messages', { ...target.message, ...identity, content: mark.write() });
    await caller.post('type', 'typing', { ...target.typing, op: 'stop' });
  }

  #target() {
    const { chance, people } = this.options;
    const userId = chance.next() < DIRECT_SHARE ? chance.pick(people).userId : undefined;
    if (userId !== undefined) {
      const to = JSON.stringify([userId]);
      return { message: { type: 'direct', to }, typing: { type: 'direct', to } };
    }
    const { channels } = this.#view;
    if (channels.length === 0) return undefined;
    const [channelId, topic] = [`${chance.pick(channels)}`, chance.pick(TOPICS)];
    return {
      message: { type: 'channel', to: channelId, topic },
      typing: { type: 'channel', stream_id: channelId, topic },
    };
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}
