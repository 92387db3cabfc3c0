import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Database, databaseUrl, migrate, openDatabase } from '../db';
import { startNats } from '../embedded';
import { subscriptionChanged } from '../events';
import { silentLogger } from '../service';
import { testPrefix, testServers } from '../testing';
import { announce, type Bus, connectBus, createOutboxRelay, type LogRecord } from './index';

const NO_MIGRATIONS = mkdtempSync(path.join(tmpdir(), 'parley-none-'));
const prefix = testPrefix();
const url = () => databaseUrl(testServers().databaseUrl, prefix, 'thing');

let database: Database;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  await migrate({ url: url(), service: 'thing', directory: NO_MIGRATIONS, log: silentLogger });
  database = openDatabase({ url: url(), poolSize: 5, applicationName: 'test' });
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await database.query(`truncate outbox restart identity`);
  await database.query(`update outbox_progress set published_up_to = 0, gaps = '{}', pending = '[]'`);
});

afterAll(() => database.close());

/** A bus and a relay of their own, on a broker prefix of their own. */
async function startRelay(natsUrl = testServers().natsUrl, busPrefix = testPrefix()) {
  const bus = await connectBus({ url: natsUrl, prefix: busPrefix, name: 'test', log: silentLogger });
  await bus.ensureStream();
  const relay = createOutboxRelay({ service: 'thing', database, bus, log: silentLogger });
  closing.push(async () => bus.connection.close());
  closing.push(() => relay.stop());
  return { bus, relay, busPrefix };
}

function change(version: number, realmId = 1) {
  return subscriptionChanged(realmId, { channelId: 7, version, subscribedIds: [], unsubscribedIds: [] });
}

const announceAll = (...versions: number[]) =>
  database.transaction((tx) => announce(tx, ...versions.map((version) => change(version))));

async function versionsInLog(bus: Bus): Promise<number[]> {
  const { state } = await bus.jsm.streams.info(bus.stream);
  const versions: number[] = [];
  for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq += 1) {
    const stored = await bus.jsm.streams.getMessage(bus.stream, { seq });
    const record = stored.json<LogRecord>();
    versions.push(...(record.payloads as { version: number }[]).map(({ version }) => version));
  }
  return versions;
}

async function untilInLog(bus: Bus, versions: number[]): Promise<void> {
  while ((await versionsInLog(bus)).length < versions.length) await new Promise(setImmediate);
  expect(await versionsInLog(bus)).toEqual(versions);
}

describe('the outbox relay', () => {
  test('publishes what was committed, in order, and nothing of what was rolled back', async () => {
    const { bus, relay } = await startRelay();
    relay.start();
    await announceAll(1, 2);
    await expect(
      database.transaction(async (tx) => {
        await announce(tx, change(99));
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await announceAll(3);
    await relay.drain();
    expect(await versionsInLog(bus)).toEqual([1, 2, 3]);
  });

  test('joins a run of one kind and organization into one record, within bounds', async () => {
    const { bus, relay } = await startRelay();
    await announceAll(...Array.from({ length: 70 }, (_, index) => index));
    await database.transaction((tx) => announce(tx, change(70, 2), change(71, 1)));
    relay.start();
    await relay.drain();
    const { state } = await bus.jsm.streams.info(bus.stream);
    expect(state.messages).toBe(5); // 32 + 32 + 6 of organization 1, then one of each
    expect(await versionsInLog(bus)).toEqual(Array.from({ length: 72 }, (_, index) => index));
  });

  test('a record published but not marked so is published again as the same record', async () => {
    const { bus, relay } = await startRelay();
    relay.start();
    await announceAll(1, 2);
    await relay.drain();
    // What a relay leaves behind that died right after publishing.
    await database.query(`update outbox_progress set pending = '[[1, 2]]'`);
    await announceAll(3);
    const { relay: successor } = await startRelay(testServers().natsUrl, bus.prefix);
    await relay.stop();
    successor.start();
    await successor.drain();
    expect(await versionsInLog(bus)).toEqual([1, 2, 3]);
  });

  test('an event whose transaction ends later than that of a younger one is not passed over', async () => {
    const { bus, relay } = await startRelay();
    relay.start();
    await database.transaction(async (tx) => {
      await announce(tx, change(1));
      await announceAll(2);
      await expect(
        database.transaction(async (other) => {
          await announce(other, change(99));
          throw new Error('changed my mind');
        }),
      ).rejects.toThrow();
      await announceAll(3);
      await untilInLog(bus, [2, 3]);
    });
    await untilInLog(bus, [2, 3, 1]);
    await announceAll(4);
    await untilInLog(bus, [2, 3, 1, 4]);
  });

  test('of two relays one publishes, woken by commits that the other one saw', async () => {
    const { bus, relay, busPrefix } = await startRelay();
    const { relay: other } = await startRelay(testServers().natsUrl, busPrefix);
    relay.start();
    other.start();
    for (let version = 1; version <= 20; version += 1) await announceAll(version);
    await relay.drain();
    expect(await versionsInLog(bus)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  test('keeps everything while NATS is away, and publishes it in order when NATS is back', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'parley-nats-'));
    let nats = await startNats({ directory, isPersistent: true });
    const { bus, relay } = await startRelay(nats.url);
    relay.start();
    await announceAll(1);
    await relay.drain();
    await nats.stop();
    await announceAll(2);
    await announceAll(3);
    nats = await startNats({ directory, isPersistent: true, port: Number(new URL(nats.url).port) });
    closing.unshift(() => nats.stop());
    await relay.drain();
    expect(await versionsInLog(bus)).toEqual([1, 2, 3]);
  });

  test('makes the stream anew when somebody deleted it', async () => {
    const { bus, relay } = await startRelay();
    relay.start();
    await announceAll(1);
    await relay.drain();
    await bus.jsm.streams.delete(bus.stream);
    await announceAll(2);
    await relay.drain();
    expect(await versionsInLog(bus)).toEqual([2]);
  });
});
