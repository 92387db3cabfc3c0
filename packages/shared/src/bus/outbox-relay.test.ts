import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { change, RelayNetwork, transactionsInLog, versionsInLog } from '../../test/relay-network';
import { TransactionSnapshot } from '../db';
import { startNats } from '../embedded';
import { testServers, until } from '../testing';
import { announce, type Bus, LOG_RETENTION_HOURS, type OutboxRelay } from './index';
import { deleteExpired } from './outbox.sql';

const DAY_MS = 24 * 3_600_000;

const network = new RelayNetwork();

beforeAll(() => network.open());
afterEach(() => network.clear());
afterAll(() => network.close());

async function untilInLog(bus: Bus, versions: number[]): Promise<void> {
  await until(async () => (await versionsInLog(bus)).length >= versions.length);
  expect(await versionsInLog(bus)).toEqual(versions);
}

const HOLDER = `application_name = 'outbox-relay' and datname = current_database()`;

/** As if the lock's process had been killed: the lock is released at once. */
async function breakLock(): Promise<void> {
  await network.database.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity where ${HOLDER}`);
}

/** Resolves when one of them leads and has looked for work. */
async function untilAsleep(...relays: OutboxRelay[]): Promise<void> {
  const asleep = `select 1 from pg_stat_activity where ${HOLDER} and state = 'idle' and query like 'with expired%'`;
  const isLed = () => relays.some(({ isLeading }) => isLeading);
  await until(async () => isLed() && (await network.database.query(asleep)).length > 0);
}

/** A relay that has become the leader although the former one has not noticed its demotion: that one `hears` of commits. */
async function succeedUnnoticed() {
  const { database } = network;
  for (;;) {
    const { bus, relay: former, busPrefix } = await network.newRelay();
    const { relay: successor } = await network.newRelay(testServers().natsUrl, busPrefix);
    former.start();
    await untilAsleep(former);
    const hears = database.onAnnounced;
    successor.start();
    await breakLock();
    await untilAsleep(former, successor);
    if (former.isLeading && successor.isLeading) return { bus, hears };
    // It looked for work just then, as it does every few seconds.
    await Promise.all([former.stop(), successor.stop()]);
  }
}

describe('the outbox relay', () => {
  test('publishes committed events in order, and none of a transaction that was rolled back', async () => {
    const { bus, relay } = await network.newRelay();
    relay.start();
    await network.announceAll(1, 2);
    await expect(
      network.database.transaction(async (tx) => {
        await announce(tx, change(99));
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await network.announceAll(3);
    await relay.drain();
    expect(await versionsInLog(bus)).toEqual([1, 2, 3]);
  });

  test('publishes with each event the transaction that announced it, to compare with snapshots', async () => {
    const { bus, relay } = await network.newRelay();
    const { database } = network;
    const snapshot = async () => (await database.readAtOnce(async () => {})).snapshot;
    await network.announceAll(1);
    const between = await database.transaction(async (tx) => {
      await announce(tx, change(2));
      await network.announceAll(3);
      return snapshot();
    });
    // As stored by the previous version.
    await database.query('update outbox set transaction_id = null where id = 3');
    await network.announceAll(4);
    relay.start();
    await relay.drain();
    const transactions = await transactionsInLog(bus);
    expect([...transactions.keys()]).toEqual([1, 2, 3, 4]);
    const isIn = (text: string) =>
      [...transactions.values()].map((id) => id !== null && TransactionSnapshot.parse(text)?.contains(id));
    expect([isIn(between), isIn(await snapshot())]).toEqual([
      [true, false, false, false],
      [true, true, false, true],
    ]);
  });

  test('joins a run of one kind and organization into one record, within bounds', async () => {
    const { bus, relay } = await network.newRelay();
    await network.announceAll(...Array.from({ length: 70 }, (_, index) => index));
    await network.database.transaction((tx) => announce(tx, change(70, 2), change(71, 1)));
    relay.start();
    await relay.drain();
    const { state } = await bus.jsm.streams.info(bus.stream);
    expect(state.messages).toBe(5); // 32 + 32 + 6 of organization 1, then one of each
    expect(await versionsInLog(bus)).toEqual(Array.from({ length: 72 }, (_, index) => index));
  });

  test('a record published but not marked so is published again as the same record', async () => {
    const { bus, relay } = await network.newRelay();
    relay.start();
    await network.announceAll(1, 2);
    await relay.drain();
    // The state after a relay has died right after publishing.
    await network.database.query(`update outbox_progress set pending = '[[1, 2]]'`);
    await network.announceAll(3);
    const { relay: successor } = await network.newRelay(testServers().natsUrl, bus.prefix);
    await relay.stop();
    successor.start();
    await successor.drain();
    expect(await versionsInLog(bus)).toEqual([1, 2, 3]);
  });

  test('stores what it has published though no further event comes', async () => {
    const { bus, relay } = await network.newRelay();
    relay.start();
    await network.announceAll(1);
    await untilInLog(bus, [1]);
    const stored = `select from outbox_progress where pending = '[]' and published_up_to = 1`;
    await until(async () => (await network.database.query(stored)).length > 0);
  });

  test('an event whose transaction ends after that of a younger event is still published', async () => {
    const { bus, relay } = await network.newRelay();
    relay.start();
    await network.database.transaction(async (tx) => {
      await announce(tx, change(1));
      await network.announceAll(2);
      await expect(
        network.database.transaction(async (other) => {
          await announce(other, change(99));
          throw new Error('changed my mind');
        }),
      ).rejects.toThrow();
      await network.announceAll(3);
      await untilInLog(bus, [2, 3]);
    });
    await untilInLog(bus, [2, 3, 1]);
    await network.announceAll(4);
    await untilInLog(bus, [2, 3, 1, 4]);
  });

  test('of two relays one publishes, woken by commits that the other one saw', async () => {
    const { bus, relay, busPrefix } = await network.newRelay();
    const { relay: other } = await network.newRelay(testServers().natsUrl, busPrefix);
    relay.start();
    other.start();
    for (let version = 1; version <= 20; version += 1) await network.announceAll(version);
    await relay.drain();
    expect(await versionsInLog(bus)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  test('keeps everything while NATS is unreachable, and publishes it in order afterwards', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'parley-nats-'));
    let nats = await startNats({ directory, isPersistent: true });
    const { bus, relay } = await network.newRelay(nats.url);
    relay.start();
    await network.announceAll(1);
    await relay.drain();
    await nats.stop();
    await network.announceAll(2);
    await network.announceAll(3);
    nats = await startNats({ directory, isPersistent: true, port: Number(new URL(nats.url).port) });
    network.onClear(() => nats.stop());
    await relay.drain();
    expect(await versionsInLog(bus)).toEqual([1, 2, 3]);
  });

  test('a successor takes over with the records that the former leader had chosen', async () => {
    const { bus, relay, busPrefix } = await network.newRelay();
    relay.start();
    await network.announceAll(1);
    await relay.drain();
    const { relay: other } = await network.newRelay(testServers().natsUrl, busPrefix);
    other.start();
    await breakLock();
    for (let version = 2; version <= 10; version += 1) await network.announceAll(version);
    await relay.drain();
    expect(await versionsInLog(bus)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('a commit seen by a former leader that has not noticed its demotion wakes the successor', async () => {
    const { bus, hears } = await succeedUnnoticed();
    // The shared database notifies the former leader of it.
    network.database.onAnnounced = hears;
    const begunAtMs = performance.now();
    await network.announceAll(1);
    await untilInLog(bus, [1]);
    // Without a wake-up the successor would look 5 seconds after its start.
    expect(performance.now() - begunAtMs).toBeLessThan(2_500);
  });

  test('keeps published rows as long as the log, and unpublished rows until they are published', async () => {
    const { relay } = await network.newRelay();
    await network.announceAll(1, 2, 3, 4, 5);
    await network.database.query(`update outbox set created_at = now() - interval '8 days 1 hour' where id <> 2`);
    await network.database.query(`update outbox_progress set published_up_to = 4, gaps = '{3}'`);
    await deleteExpired(network.database, LOG_RETENTION_HOURS + 24);
    const ids = async () => (await network.database.query<{ id: number }>('select id from outbox')).map(({ id }) => id);
    expect(await ids()).toEqual([2, 3, 5]);
    relay.start();
    await relay.drain();
    await relay.stop();
    await deleteExpired(network.database, LOG_RETENTION_HOURS + 24);
    expect(await ids()).toEqual([2]);
  });

  test('drops expired rows at once, however many there are', async () => {
    const { relay } = await network.newRelay();
    await network.database.query(
      `insert into outbox (realm_id, kind, payload, created_at)
       select 1, 'thing.changed', '{}', now() - interval '8 days 1 hour' from generate_series(1, 20001)`,
    );
    await network.database.query('update outbox_progress set published_up_to = 20001');
    relay.start();
    const count = async () => (await network.database.query('select 1 from outbox')).length;
    await until(async () => (await count()) === 0);
  });

  test('publishes in order and forgets nothing when the clock of its machine jumps', async () => {
    const { bus, relay } = await network.newRelay();
    relay.start();
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now');
    for (const [index, jumpMs] of [10 * DAY_MS, -10 * DAY_MS, 0].entries()) {
      clock.mockReturnValue(now + jumpMs);
      await network.announceAll(2 * index, 2 * index + 1);
      await relay.drain();
    }
    clock.mockRestore();
    expect(await versionsInLog(bus)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await network.database.query('select id from outbox')).toHaveLength(6);
  });

  test('reports how far the log is behind, on every replica', async () => {
    const { relay, busPrefix } = await network.newRelay();
    const { relay: other } = await network.newRelay(testServers().natsUrl, busPrefix);
    await network.announceAll(1, 2, 3);
    await network.database.query(`update outbox set created_at = now() - interval '1 minute' where id = 1`);
    const behind = await other.gauges();
    expect(behind).toMatchObject({ waitingEvents: 3, isLeading: false, publishDelayMs: 0, rowsToRefill: 0 });
    expect(behind.oldestWaitingMs).toBeGreaterThan(59_000);
    relay.start();
    await relay.drain();
    expect(await other.gauges()).toMatchObject({ waitingEvents: 0, oldestWaitingMs: 0 });
    const { isLeading, publishDelayMs } = await relay.gauges();
    expect(isLeading).toBe(true);
    expect(publishDelayMs).toBeGreaterThan(0);
    expect(publishDelayMs).toBeLessThan(30_000);
  });
});
