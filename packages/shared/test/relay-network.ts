import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  announce,
  type Bus,
  connectBus,
  createOutboxRelay,
  isRefilled,
  type LogRecord,
  type OutboxRelay,
} from '../src/bus';
import { type Database, databaseUrl, migrate, openDatabase } from '../src/db';
import { subscriptionChanged } from '../src/events';
import { silentLogger } from '../src/service';
import { testPrefix, testServers } from '../src/testing';

const NO_MIGRATIONS = mkdtempSync(path.join(tmpdir(), 'parley-none-'));

export interface RelayUnderTest {
  bus: Bus;
  relay: OutboxRelay;
  busPrefix: string;
}

/** One service's outbox, and relays of it; each test begins with an empty one. */
export class RelayNetwork {
  readonly #closing: (() => Promise<unknown>)[] = [];
  #database: Database | undefined;

  get database(): Database {
    return this.#database as Database;
  }

  async open(): Promise<void> {
    const url = databaseUrl(testServers().databaseUrl, testPrefix(), 'thing');
    await migrate({ url, service: 'thing', directory: NO_MIGRATIONS, log: silentLogger });
    this.#database = openDatabase({ url, poolSize: 5, applicationName: 'test' });
  }

  /** Stops everything that the test has started, in reverse order. */
  async clear(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close();
    await this.database.query('truncate outbox restart identity');
    await this.database.query('delete from outbox_progress');
    await this.database.query('insert into outbox_progress default values');
  }

  close(): Promise<void> {
    return this.database.close();
  }

  onClear(close: () => Promise<unknown>): void {
    this.#closing.push(close);
  }

  /** A bus and a relay with their own broker prefix. */
  async newRelay(natsUrl = testServers().natsUrl, busPrefix = testPrefix()): Promise<RelayUnderTest> {
    const bus = await connectBus({ url: natsUrl, prefix: busPrefix, name: 'test', log: silentLogger });
    await bus.ensureStream();
    const relay = createOutboxRelay({ service: 'thing', database: this.database, bus, log: silentLogger });
    this.onClear(async () => bus.connection.close());
    this.onClear(() => relay.stop());
    return { bus, relay, busPrefix };
  }

  announceAll(...versions: number[]): Promise<void> {
    return this.database.transaction((tx) => announce(tx, ...versions.map((version) => change(version))));
  }
}

export function change(version: number, realmId = 1) {
  return subscriptionChanged(realmId, { channelId: 7, version, subscribedIds: [], unsubscribedIds: [] });
}

export interface LoggedVersions {
  version: number;
  isRefilled: boolean;
}

/** The changes in the log, in order. */
export async function changesInLog(bus: Bus): Promise<LoggedVersions[]> {
  const changes: LoggedVersions[] = [];
  for await (const { record, header } of recordsInLog(bus))
    for (const { version } of record.payloads as { version: number }[])
      changes.push({ version, isRefilled: isRefilled({ headers: header }) });
  return changes;
}

async function* recordsInLog(bus: Bus) {
  const { state } = await bus.jsm.streams.info(bus.stream);
  for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq += 1) {
    const stored = await bus.jsm.streams.getMessage(bus.stream, { seq });
    yield { record: stored.json<LogRecord>(), header: stored.header };
  }
}

/** The transactions of the events in the log, by their versions. */
export async function transactionsInLog(bus: Bus): Promise<Map<number, number | null>> {
  const found = new Map<number, number | null>();
  for await (const { record } of recordsInLog(bus))
    (record.payloads as { version: number }[]).forEach(({ version }, index) => {
      found.set(version, record.transactionIds?.[index] ?? null);
    });
  return found;
}

export async function versionsInLog(bus: Bus): Promise<number[]> {
  return (await changesInLog(bus)).map(({ version }) => version);
}
