import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Database, databaseUrl, migrate, openDatabase } from '../db';
import { startNats } from '../embedded';
import { ServiceUnavailableError } from '../errors';
import { type NoticeAnnounced, noticeAnnounced } from '../events';
import { silentLogger } from '../observability';
import { testPrefix, testServers, until } from '../testing';
import {
  type Bus,
  type ConsumedEvent,
  type ConsumeOptions,
  connectBus,
  consume,
  countUnconsumed,
  type Frequent,
  handledEvents,
  markRewound,
} from './index';
import { createSignal } from './outbox-relay';

const NO_MIGRATIONS = mkdtempSync(path.join(tmpdir(), 'parley-none-'));
const closing: (() => Promise<unknown>)[] = [];
let database: Database;

beforeAll(async () => {
  const url = databaseUrl(testServers().databaseUrl, testPrefix(), 'messages');
  await migrate({ url, service: 'messages', directory: NO_MIGRATIONS, log: silentLogger });
  database = openDatabase({ url, poolSize: 5, applicationName: 'test' });
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await database.query('delete from handled_event');
});

afterAll(() => database.close());

async function openBus(natsUrl = testServers().natsUrl, prefix = testPrefix()): Promise<Bus> {
  const bus = await connectBus({ url: natsUrl, prefix, name: 'test', log: silentLogger });
  await bus.ensureStream();
  closing.push(async () => {
    await bus.jsm.streams.delete(bus.stream).catch(() => {});
    await bus.connection.close();
  });
  return bus;
}

/** Publishes one record of notices to the log, like a relay; their contents are their ids. */
async function publish(bus: Bus, ids: number[], realmId = 1, service = 'realm'): Promise<void> {
  const payloads = ids.map((id): NoticeAnnounced => {
    return { senderId: 7, to: { userIds: [8] }, content: `${id}`, readByIds: [] };
  });
  const record = { service, kind: noticeAnnounced.kind, realmId, ids, payloads };
  await bus.js.publish(bus.subject(realmId, noticeAnnounced.kind), JSON.stringify(record));
}

/** Resolves when all records of the log are acknowledged. */
async function untilAllHandled(bus: Bus): Promise<void> {
  await until(async () => (await countUnconsumed(bus)) === 0);
}

type Handle = ConsumeOptions<NoticeAnnounced>['handle'];

/** A replica of a service, which stores the ids of handled events. */
function startConsumer(bus: Bus, handle: Handle = async () => {}, frequent?: Frequent) {
  const handled: ConsumedEvent<NoticeAnnounced>[] = [];
  const signal = createSignal();
  const consumption = consume({
    bus,
    db: database,
    service: 'messages',
    event: noticeAnnounced,
    log: silentLogger,
    ...(frequent && { frequent }),
    retryPolicy: { retries: 2, backOff: { firstMs: 1, growth: 1 }, unreachableDelayMs: 1 },
    async handle(events) {
      await handle(events);
      handled.push(...events);
      signal.raise();
    },
  });
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await consumption.stop();
    isStopped = true;
  };
  closing.push(stop);
  return {
    stop,
    contents: () => handled.map(({ payload }) => payload.content),
    handled,
    async until(count: number) {
      while (handled.length < count) await signal.wait(1_000);
    },
  };
}

describe('a consumer', () => {
  test('gets events published before it started, in order, with stable ids', async () => {
    const bus = await openBus();
    await publish(bus, [1, 2]);
    await publish(bus, [5], 2);
    const consumer = startConsumer(bus);
    await consumer.until(3);
    expect(consumer.handled.map(({ id, realmId }) => [id, realmId])).toEqual([
      ['realm:1', 1],
      ['realm:2', 1],
      ['realm:5', 2],
    ]);
  });

  test('goes on where its predecessor stopped', async () => {
    const bus = await openBus();
    const first = startConsumer(bus);
    await publish(bus, [1]);
    await first.until(1);
    await first.stop();
    await publish(bus, [2]);
    const second = startConsumer(bus);
    await second.until(1);
    expect(second.contents()).toEqual(['2']);
  });

  test('shares the work with other replicas, one record at a time', async () => {
    const bus = await openBus();
    const order: string[] = [];
    let atWork = 0;
    const work: Handle = async (events) => {
      atWork += 1;
      expect(atWork).toBe(1);
      order.push(...events.map(({ payload }) => payload.content));
      await new Promise(setImmediate);
      atWork -= 1;
    };
    const replicas = [startConsumer(bus, work), startConsumer(bus, work)];
    const ids = Array.from({ length: 40 }, (_, index) => index + 1);
    for (const id of ids) await publish(bus, [id]);
    await until(() => replicas.flatMap(({ handled }) => handled).length >= ids.length);
    expect(order).toEqual(ids.map(String));
    expect(replicas.every(({ handled }) => handled.length > 0)).toBe(true);
  });

  test('waits for an unreachable service, however long', async () => {
    const bus = await openBus();
    let attempts = 0;
    const consumer = startConsumer(bus, async () => {
      attempts += 1;
      if (attempts < 20) throw new ServiceUnavailableError();
    });
    await publish(bus, [1]);
    await publish(bus, [2]);
    await consumer.until(2);
    expect(consumer.contents()).toEqual(['1', '2']);
  });

  test('sets aside only the events that cannot be handled', async () => {
    const bus = await openBus();
    const consumer = startConsumer(bus, async (events) => {
      if (events.some(({ payload }) => payload.content === '2')) throw new Error('cannot be handled');
    });
    await bus.js.publish(bus.subject(1, noticeAnnounced.kind), 'no record');
    await publish(bus, [1, 2, 3]);
    await publish(bus, [4]);
    await consumer.until(3);
    expect(consumer.contents()).toEqual(['1', '3', '4']);
  });

  test('that is stopped while it tries again leaves the event to another', async () => {
    const bus = await openBus();
    const tried = createSignal();
    const first = startConsumer(bus, async () => {
      tried.raise();
      throw new ServiceUnavailableError();
    });
    await publish(bus, [1]);
    await tried.wait(10_000);
    await first.stop();
    const second = startConsumer(bus);
    await second.until(1);
    expect([first.contents(), second.contents()]).toEqual([[], ['1']]);
  });

  test('finishes the current event before it stops', async () => {
    const bus = await openBus();
    const [begun, end] = [createSignal(), createSignal()];
    const consumer = startConsumer(bus, async () => {
      begun.raise();
      await end.wait(10_000);
    });
    await publish(bus, [1]);
    await begun.wait(10_000);
    const stopped = consumer.stop();
    end.raise();
    await stopped;
    expect(consumer.contents()).toEqual(['1']);
    const info = await bus.jsm.consumers.info(bus.stream, 'messages-notice-announced');
    expect(info.num_pending + info.num_ack_pending).toBe(0);
  });

  test('continues after the stream was recreated', async () => {
    const bus = await openBus();
    const consumer = startConsumer(bus);
    await publish(bus, [1]);
    await consumer.until(1);
    await bus.jsm.streams.delete(bus.stream);
    await bus.ensureStream();
    await publish(bus, [2]);
    await consumer.until(2);
    expect(consumer.contents()).toEqual(['1', '2']);
  });

  test('reads a log that lost records from its beginning, and handles nothing twice', async () => {
    const bus = await openBus();
    const consumer = startConsumer(bus);
    await publish(bus, [1, 2]);
    await publish(bus, [3]);
    await consumer.until(3);
    await markRewound(bus, await bus.jsm.streams.info(bus.stream));
    await publish(bus, [2, 4]);
    await publish(bus, [3]);
    await publish(bus, [5]);
    await consumer.until(5);
    expect(consumer.contents()).toEqual(['1', '2', '3', '4', '5']);
    await untilAllHandled(bus);
    expect(consumer.contents()).toHaveLength(5);
  });

  test('distinguishes events of two services with the same id', async () => {
    const bus = await openBus();
    const consumer = startConsumer(bus);
    await publish(bus, [1]);
    await publish(bus, [1], 1, 'messages');
    await consumer.until(2);
    expect(consumer.handled.map(({ id }) => id)).toEqual(['realm:1', 'messages:1']);
  });

  test('retries an event that was set aside when the log delivers it again', async () => {
    const bus = await openBus();
    let isMended = false;
    const consumer = startConsumer(bus, async () => {
      if (!isMended) throw new Error('cannot be handled');
    });
    await publish(bus, [1]);
    await untilAllHandled(bus);
    isMended = true;
    await publish(bus, [1]);
    await consumer.until(1);
    expect(consumer.contents()).toEqual(['1']);
  });

  test('of a frequent kind handles records at once, whose handler notes what it has handled', async () => {
    const bus = await openBus();
    const handled = handledEvents({ db: database, service: 'messages', event: noticeAnnounced });
    const fresh: string[] = [];
    let begun = 0;
    const frequent = { atOnce: 4, newsHours: 1, notesHandled: true } as const;
    const handle: Handle = async (events) => {
      begun += 1;
      await until(() => begun >= 4);
      // Those with an odd number have an effect.
      const concerning = events.filter(({ payload }) => Number(payload.content) % 2 === 1);
      fresh.push(...(await handled.noteIn(database, concerning)).map(({ id }) => id));
    };
    const first = startConsumer(bus, handle, frequent);
    for (const id of [1, 2, 3, 4]) await publish(bus, [id]);
    await first.until(4);
    await first.stop();
    expect(fresh.sort()).toEqual(['realm:1', 'realm:3']);
    const rows = await database.query<{ id: number }>('select event_id as id from handled_event order by 1');
    expect(rows.map(({ id }) => id)).toEqual([1, 3]);
    await publish(bus, [3, 5]);
    const second = startConsumer(bus, handle, frequent);
    await second.until(2);
    expect(fresh.sort()).toEqual(['realm:1', 'realm:3', 'realm:5']);
  });

  test('forgets a handled event only once no log can deliver it again', async () => {
    const bus = await openBus();
    await database.query(`insert into handled_event (consumer, service, event_id, handled_at) values
      ('messages-notice-announced', 'realm', 1, now() - interval '8 days 1 hour'),
      ('messages-notice-announced', 'realm', 2, now() - interval '7 days 1 hour')`);
    const consumer = startConsumer(bus);
    await publish(bus, [3]);
    await consumer.until(1);
    await untilAllHandled(bus);
    const rows = await database.query<{ id: number }>('select event_id as id from handled_event order by 1');
    expect(rows.map(({ id }) => id)).toEqual([2, 3]);
  });

  test('continues after an outage of the broker', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'parley-nats-'));
    let nats = await startNats({ directory, isPersistent: true });
    closing.push(() => nats.stop());
    const bus = await openBus(nats.url);
    const consumer = startConsumer(bus);
    await publish(bus, [1]);
    await consumer.until(1);
    await nats.stop();
    nats = await startNats({ directory, isPersistent: true, port: Number(new URL(nats.url).port) });
    const isBack = () =>
      bus.connection.rtt().then(
        () => true,
        () => false,
      );
    await until(isBack);
    await publish(bus, [2]);
    await consumer.until(2);
    expect(consumer.contents()).toEqual(['1', '2']);
  });
});
