import { setTimeout as sleep } from 'node:timers/promises';
import { eg, type TestClient } from '../src';
import { createHttpClient, type HttpClient } from '../src/network/http-client';
import { EXTERNAL_HOST } from '../src/network/plan';
import { createTestClient } from '../src/network/test-client';

/** Between a sender's messages. */
const PACE_MS = 100;
/** As clients do, before they ask again what was not answered. */
const RETRY_MS = 50;

/** A client that turns to another replica of the gateway when the one it talks to is gone, as behind any load balancer. */
function throughAnyOf(addresses: readonly string[], first: number): HttpClient {
  const clients = addresses.map(createHttpClient);
  let turn = first;
  return {
    async send(request) {
      try {
        return await (clients[turn % clients.length] as HttpClient).send(request);
      } catch (error) {
        turn += 1;
        throw error;
      }
    },
    close() {
      for (const client of clients) client.close();
    },
  };
}

type Form = Record<string, string>;
type Json = Record<string, unknown>;

/** What a test is to show when an answer is none of those that it allows. */
const refusalOf = (answer: Json): string | null => (answer['result'] === 'success' ? null : JSON.stringify(answer));

/** What every participant does: it asks until it is answered. */
abstract class Participant {
  readonly #http: HttpClient;
  readonly #client: TestClient;

  constructor(
    protected readonly traffic: Traffic,
    account: TestClient,
    first: number,
  ) {
    this.#http = throughAnyOf(traffic.addresses, first);
    this.#client = createTestClient(account, `${eg.home.subdomain}.${EXTERNAL_HOST}`, this.#http);
  }

  close(): void {
    this.#http.close();
  }

  /** Any answer but that the service is not ready; null when it was not there before the end. */
  protected async ask(method: string, path: string, form: Form, key?: string): Promise<Json | null> {
    const query = method === 'GET' ? `?${new URLSearchParams(form)}` : '';
    const request = {
      method,
      path: `/api/v1/${path}${query}`,
      ...(method === 'GET' ? {} : { form }),
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    };
    while (!this.traffic.isOver) {
      const answer = await this.#client.callRaw(request).catch(() => null);
      if (answer && answer.status < 500) return answer.json;
      await sleep(RETRY_MS);
    }
    return null;
  }
}

/** Says its numbers one after the other; each once the last one was accepted. */
class Sender extends Participant {
  begun = 0;
  accepted = 0;
  /** By number. */
  readonly messageIds = new Map<number, number>();

  constructor(
    traffic: Traffic,
    readonly account: TestClient,
    first: number,
  ) {
    super(traffic, account, first);
  }

  async run(): Promise<void> {
    while (!this.traffic.isEnding) {
      this.begun += 1;
      const form = { type: 'channel', to: 'general', topic: 'outages', content: `number ${this.begun}` };
      const answer = await this.ask('POST', 'messages', form, `${this.begun}`);
      if (answer === null) return;
      expect(refusalOf(answer)).toBeNull();
      this.messageIds.set(this.begun, answer['id'] as number);
      this.accepted = this.begun;
      this.traffic.changed();
      await sleep(PACE_MS);
    }
  }
}

/** What one queue of a follower got. */
export interface Stretch {
  maxMessageId: number;
  /** By sender, in the order of arrival. */
  numbers: Map<number, number[]>;
  /** Of all senders' messages, as it came. */
  order: string[];
}

/** Polls a queue; registers anew only when it is told that the queue is gone. */
class Follower extends Participant {
  readonly stretches: Stretch[] = [];

  async run(): Promise<void> {
    while (!this.traffic.isOver) {
      const form = { event_types: '["message"]', fetch_event_types: '["message"]', apply_markdown: 'false' };
      const state = await this.ask('POST', 'register', form);
      if (state === null) return;
      expect(refusalOf(state)).toBeNull();
      this.stretches.push({ maxMessageId: state['max_message_id'] as number, numbers: new Map(), order: [] });
      this.traffic.changed();
      await this.#follow(state['queue_id'] as string, state['last_event_id'] as number);
    }
  }

  async #follow(queueId: string, begin: number): Promise<void> {
    let lastEventId = begin;
    for (;;) {
      const answer = await this.ask('GET', 'events', { queue_id: queueId, last_event_id: `${lastEventId}` });
      if (answer === null || answer['code'] === 'BAD_EVENT_QUEUE_ID') return;
      expect(refusalOf(answer)).toBeNull();
      for (const event of answer['events'] as ({ id: number; type: string } & Json)[]) {
        expect(event.id).toBeGreaterThan(lastEventId);
        lastEventId = event.id;
        if (event.type === 'message') this.#take(event['message'] as { sender_id: number; content: string });
      }
      this.traffic.changed();
    }
  }

  #take({ sender_id: senderId, content }: { sender_id: number; content: string }): void {
    const [, number] = /^number (\d+)$/.exec(content) ?? [];
    if (number === undefined) return;
    const { numbers, order } = this.stretches.at(-1) as Stretch;
    order.push(`${senderId}: ${number}`);
    numbers.set(senderId, [...(numbers.get(senderId) ?? []), Number(number)]);
  }

  /** The latest number that it got of a sender. */
  latest(senderId: number): number {
    return this.stretches.at(-1)?.numbers.get(senderId)?.at(-1) ?? 0;
  }
}

/** Steady load: a few who send, and more who follow and check. */
export class Traffic {
  readonly senders: readonly Sender[];
  readonly followers: readonly Follower[];
  /** Nothing new is sent. */
  isEnding = false;
  /** Nobody is asked any more. */
  isOver = false;
  #running: Promise<unknown> = Promise.resolve();
  #sending: Promise<unknown> = Promise.resolve();
  #waiting: (() => void)[] = [];

  constructor(
    readonly addresses: readonly string[],
    people: readonly TestClient[],
    followers: number,
  ) {
    this.senders = people.map((person, index) => new Sender(this, person, index));
    this.followers = Array.from(
      { length: followers },
      (_, index) => new Follower(this, people[index % people.length] as TestClient, index),
    );
  }

  async start(): Promise<void> {
    this.#running = Promise.all(this.followers.map((follower) => follower.run()));
    await this.until(() => this.followers.every(({ stretches }) => stretches.length > 0));
    this.#sending = Promise.all(this.senders.map((sender) => sender.run()));
    await this.untilFlowing();
  }

  /** A message that each sender begins from now on was accepted, and has reached every follower. */
  async untilFlowing(): Promise<void> {
    const wanted = this.senders.map(({ account, begun }) => ({ senderId: account.userId, number: begun + 1 }));
    await this.until(() => this.#haveReached(wanted));
  }

  /** So many messages were accepted from now on. */
  async untilAccepted(count: number): Promise<void> {
    const accepted = () => this.senders.reduce((sum, sender) => sum + sender.accepted, 0);
    const wanted = accepted() + count;
    await this.until(() => accepted() >= wanted);
  }

  /** Ends the load; everything that was accepted has arrived. */
  async end(): Promise<void> {
    this.isEnding = true;
    await this.#sending;
    const wanted = this.senders.map(({ account, accepted }) => ({ senderId: account.userId, number: accepted }));
    await this.until(() => this.#haveReached(wanted));
    await this.stop();
  }

  /** Lets go of everybody, whatever they wait for. */
  async stop(): Promise<void> {
    this.isEnding = true;
    this.isOver = true;
    for (const participant of [...this.senders, ...this.followers]) participant.close();
    await Promise.all([this.#running, this.#sending]);
  }

  changed(): void {
    for (const look of this.#waiting.splice(0)) look();
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #haveReached(wanted: readonly { senderId: number; number: number }[]): boolean {
    return this.followers.every((follower) =>
      wanted.every(({ senderId, number }) => follower.latest(senderId) >= number),
    );
  }
}
