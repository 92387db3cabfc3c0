import { type Bus, connectBus, type LogRecord } from '@parley/shared/bus';
import type { EventKind, MessageSent, SubscriptionChanged } from '@parley/shared/events';
import type { CreateQueueRequest, QueueBeginning } from '@parley/shared/proto';
import { type Caller, connectRpc, newCall, type RpcClient } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { createFakeClock, type FakeClock, testPrefix, testServers, until } from '@parley/shared/testing';
import type { Clock } from '@parley/shared/values';
import { create, type EventsService } from '../src/service';
import { queueRequest, REALM } from './eg';
import { MessagesServer } from './messages-server';
import { PollClient, type PublicEvent } from './poll-client';
import { RealmServer } from './realm-server';

export interface NetworkOptions {
  natsUrl?: string;
  windowBytes?: number;
  maxSubscriptions?: number;
  /** Absent: answers are never delayed. */
  pauseClock?: Clock;
}

/** The environment of events pods: a broker, realm, messages, and a publisher. */
export class Network {
  readonly clock: FakeClock = createFakeClock();
  readonly realm = new RealmServer();
  readonly messages = new MessagesServer();
  readonly prefix = testPrefix();
  readonly pods: Pod[] = [];
  bus!: Bus;

  constructor(private readonly options: NetworkOptions = {}) {}

  get natsUrl(): string {
    return this.options.natsUrl ?? testServers().natsUrl;
  }

  async start(): Promise<this> {
    await this.realm.start();
    await this.messages.start();
    this.bus = await connectBus({ url: this.natsUrl, prefix: this.prefix, name: 'test', log: silentLogger });
    await this.bus.ensureStream();
    return this;
  }

  async startPod(natsUrl = this.natsUrl): Promise<Pod> {
    const service = create(
      {
        LOG_LEVEL: 'silent',
        LISTEN: '127.0.0.1:0',
        NATS_URL: natsUrl,
        NATS_PREFIX: this.prefix,
        REALM_ADDRESS: this.realm.address,
        MESSAGES_ADDRESS: this.messages.address,
        LOG_WINDOW_BYTES: this.options.windowBytes ?? 64 * 1024 ** 2,
        DELIVERY_PAUSE_MS: this.options.pauseClock ? 50 : 0,
      },
      {
        ...{ clock: this.clock, log: silentLogger, random: () => 0.5 },
        ...{ maxSubscriptions: this.options.maxSubscriptions, pauseClock: this.options.pauseClock },
      },
    );
    await service.start();
    const pod = new Pod(service);
    this.pods.push(pod);
    return pod;
  }

  publish(kind: EventKind, payloads: unknown[], realmId = REALM): Promise<void> {
    return publishTo(this.bus, kind, payloads, realmId);
  }

  publishMessages(...payloads: MessageSent[]): Promise<void> {
    return this.publish('message.sent', payloads);
  }

  publishChange(change: SubscriptionChanged): Promise<void> {
    return this.publish('subscription.changed', [change]);
  }

  /** Resolves when the broker is reachable again. */
  async reach(): Promise<void> {
    await until(() =>
      this.bus.connection.rtt().then(
        () => true,
        () => false,
      ),
    );
  }

  /** Resolves when the store has the queue's latest use. */
  async kept(queue: TestQueue, lifespanSecs = 600): Promise<void> {
    const bucket = await this.bus.js.views.kv(`${this.prefix}queues`);
    const neededMs = this.clock.now() + lifespanSecs * 1000;
    await until(
      async () => Number((await bucket.get(queue.queueId))?.json<{ expiresAt: number }>().expiresAt) >= neededMs,
    );
  }

  async settle(): Promise<void> {
    for (const pod of this.pods) await pod.service.caughtUp();
  }

  async stop(): Promise<void> {
    for (const pod of this.pods) await pod.stop();
    // NOTE: the broker reserves the log's maximum size for every stream.
    await this.bus.jsm.streams.delete(this.bus.stream);
    await this.bus.close();
    await this.realm.stop();
    await this.messages.stop();
  }
}

/** An events pod, and a gateway's connection to it. */
export class Pod {
  readonly client: RpcClient<'events'>;
  readonly polls: PollClient;
  /** Another gateway's polls, one of the version before. */
  readonly pollsOfEarlierVersion: () => PollClient;
  readonly #close: () => void;

  constructor(readonly service: EventsService) {
    const connection = connectRpc('events', service.address);
    this.client = connection.client;
    this.polls = new PollClient(connection);
    this.#close = () => connection.close();
    this.pollsOfEarlierVersion = () => new PollClient(connection, true);
  }

  /** A queue of a client whose state includes everything published before. */
  async register(userId: number, fields: Partial<CreateQueueRequest> = {}, realmId = REALM): Promise<TestQueue> {
    const snapshots = [{ service: SERVICE, snapshot: `${nextTransactionId}:${nextTransactionId}:` }];
    const request = queueRequest({ snapshots, ...fields });
    const { queueId } = await this.client.createQueue(callerOf(userId, realmId), request);
    return new TestQueue(queueId, userId, realmId);
  }

  beginning(userId: number): Promise<QueueBeginning> {
    return this.client.getQueueBeginning(callerOf(userId), queueRequest());
  }

  /** Polls like a client: after the events it has seen, and remembers the new ones. */
  async poll(queue: TestQueue, dontBlock = false): Promise<PublicEvent[]> {
    const events = await this.polls.poll({ ...queue.question, dontBlock });
    queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId;
    return events;
  }

  /** All replies to pending polls of a queue. */
  async drain(queue: TestQueue): Promise<PublicEvent[]> {
    await this.service.caughtUp();
    return this.poll(queue, true);
  }

  async delete(queue: TestQueue): Promise<void> {
    await this.client.deleteQueue(callerOf(queue.userId, queue.realmId), { queueId: queue.queueId });
  }

  /** Resolves when that many polls are parked here. */
  async parked(count: number): Promise<void> {
    await until(() => this.service.counters.parkedPolls === count);
  }

  async stop(): Promise<void> {
    this.#close();
    await this.service.stop();
  }
}

/** A client's end of a queue. */
export class TestQueue {
  lastEventId = -1;

  constructor(
    readonly queueId: string,
    readonly userId: number,
    readonly realmId: number,
  ) {}

  get question() {
    const { queueId, userId, realmId, lastEventId } = this;
    return { queueId, userId, realmId, lastEventId };
  }
}

const SERVICE = 'test';

let nextTransactionId = 1_000;

/** Publishes one record with these payloads to the log, like a service's outbox relay; by default all of one transaction. */
export async function publishTo(
  bus: Bus,
  kind: EventKind,
  payloads: unknown[],
  realmId = REALM,
  transactionIds: (number | null)[] = payloads.map(() => nextTransactionId),
): Promise<void> {
  nextTransactionId += 1;
  const ids = payloads.map((_, index) => index + 1);
  const record: LogRecord = { service: SERVICE, kind, realmId, ids, transactionIds, payloads };
  await bus.js.publish(bus.subject(realmId, kind), JSON.stringify(record));
}

export function callerOf(userId: number, realmId = REALM): Caller {
  return { ...newCall(), realmId, userId };
}

export function contents(events: PublicEvent[]): string[] {
  return events.map(({ message }) => message.content);
}
