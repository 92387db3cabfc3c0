import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { endLeasesBeforeCommit } from '@parley/realm/leases/end-leases';
import { shareLoads } from '@parley/shared/batch';
import { type Bus, connectBus, countUnconsumed, countUnpublished } from '@parley/shared/bus';
import { type Database, databaseUrl, openDatabase, run, type Sql } from '@parley/shared/db';
import type { NewAccount } from '@parley/shared/proto';
import { connectRpc, type RpcClient } from '@parley/shared/rpc';
import { createLogger, type Logger, tlsFilesOf } from '@parley/shared/service';
import {
  cloneDatabases,
  dropDatabases,
  type FakeClock,
  pauseAfter,
  testPrefix,
  testServers,
} from '@parley/shared/testing';
import { all } from '../all';
import { eg, type Person } from '../cast/eg';
import { type Cast, copyCast, type MakeCast } from './cast-databases';
import { Closing } from './closing';
import { createHttpClient, type HttpClient } from './http-client';
import { dataDirectoryOf, EXTERNAL_HOST, type OnLine, planReplicas, type Replicas } from './plan';
import { SCHEMAS, type ServiceName } from './replica';
import { seed } from './seed';
import { createTestClient, type TestClient } from './test-client';

export interface TestNetworkOptions {
  eventsPods?: number;
  messagesReplicas?: number;
  /** Number of replicas of any service; one each unless given here or above. */
  replicas?: Partial<Record<ServiceName, number>>;
  clock?: FakeClock;
  /** Prefixes of branded field names. */
  brands?: readonly string[];
  /** Services whose replicas run as separate processes, which a test can kill. They run the compiled code. */
  processes?: readonly ServiceName[];
  /** Services whose replicas share a separate process, for tests that kill them only together: half as many processes start. */
  joint?: readonly ServiceName[];
  /**
   * The folder of the compiled services, read at every start of a process: one may have another version. All create their
   * databases.
   */
  checkout?: () => string;
  onLine?: OnLine;
  /** The log of this process's services; absent: none, unless TEST_LOG_LEVEL is set. */
  log?: Logger;
  /** A separate broker, which the test can stop. */
  natsUrl?: string;
  /** Of all services. */
  settings?: Readonly<Record<string, string>>;
}

type DatabaseOwner = (typeof SCHEMAS)[number]['service'];

/** The six services on real databases and a real broker, with the cast of `eg`, each member of which is a client. */
export interface TestNetwork extends Readonly<Record<Person, TestClient>> {
  /** The gateway's address: `host:port`. */
  readonly address: string;
  /** The addresses of its replicas; the cast uses the first. */
  readonly gatewayAddresses: readonly string[];
  readonly replicas: Replicas;
  /** For commands of the operator, which have no endpoint. */
  readonly realmService: RpcClient<'realm'>;
  readonly messagesService: RpcClient<'messages'>;
  /** The address of the first replica of each service. */
  readonly addresses: Readonly<Record<ServiceName, string>>;
  /** A separate connection, to read what a service has committed. */
  database(service: DatabaseOwner): Database;
  /** Number of SQL statements sent so far by the services that run in this process. */
  statementCount(): number;
  /** A client for an account that was created in the test. */
  clientOf(account: NewAccount, subdomain?: string): TestClient;
  /**
   * Resolves when all changes so far, and all their consequences, are in the log and were read by the events pods of this
   * process.
   */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export const TestNetwork = { create };

async function create(options: TestNetworkOptions = {}): Promise<TestNetwork> {
  const closing = new Closing();
  try {
    return await startNetwork(options, closing);
  } catch (error) {
    await closing.close();
    throw error;
  }
}

/** Adds everything it opens to `closing`, whether it succeeds or not. */
async function startNetwork(options: TestNetworkOptions, closing: Closing): Promise<TestNetwork> {
  const prefix = testPrefix();
  const copied = await makeDatabases(prefix, options, closing);
  const { replicas, addresses } = await startReplicas(prefix, options, closing);
  const { http, realm, messages, databases, bus } = await connect(prefix, addresses, options, closing);
  const settled = settlingOf(replicas, databases, bus);
  const clientOf = clientsThrough(http, settled);
  const cast = clientsOf(copied ?? (await seed(realm.client)), clientOf);
  await settled();
  return {
    ...cast,
    address: addresses.gateway[0] as string,
    gatewayAddresses: addresses.gateway,
    replicas,
    realmService: realm.client,
    messagesService: messages.client,
    addresses: firstOf(addresses),
    database: (service) => databases[service],
    statementCount: () => statementsOf(replicas),
    clientOf,
    settle: settled,
    stop: () => closing.close(),
  };
}

/** Returns the cast if the databases have it already. */
async function makeDatabases(prefix: string, options: TestNetworkOptions, closing: Closing): Promise<Cast | undefined> {
  const services = SCHEMAS.map(({ service }) => service);
  closing.add(() => dropDatabases(prefix, services));
  closing.add(() => rm(dataDirectoryOf(prefix), { recursive: true, force: true }));
  const cast = await copyCast(prefix, options, makeCast);
  if (!cast && !options.checkout) await cloneDatabases(prefix, SCHEMAS);
  return cast;
}

const makeCast: MakeCast = async (prefix, clock) => {
  await cloneDatabases(prefix, SCHEMAS);
  const closing = new Closing();
  try {
    const options = clock ? { clock } : {};
    closing.add(() => rm(dataDirectoryOf(prefix), { recursive: true, force: true }));
    const { replicas, addresses } = await startReplicas(prefix, options, closing);
    const { realm, databases, bus } = await connect(prefix, addresses, options, closing);
    const cast = await seed(realm.client);
    await settlingOf(replicas, databases, bus)();
    for (const replica of Object.values(replicas).flat().reverse()) await replica.stop();
    await Promise.all(Object.values(databases).map(forgetLog));
    return cast;
  } finally {
    await closing.close();
  }
};

/** A copy has a log of its own, which begins after these events. */
async function forgetLog(database: Database): Promise<void> {
  await database.query('delete from outbox');
  await database.query('update outbox_progress set log_epoch = null, record_seq = 0, record_id = 0');
}

async function startReplicas(prefix: string, options: TestNetworkOptions, closing: Closing) {
  const planned = await plan(prefix, options);
  const replicas = Object.values(planned.replicas).flat();
  // The gateway starts last and stops first: the others still answer its pending requests.
  for (const replica of replicas) closing.add(() => replica.stop());
  await all(replicas.map((replica) => replica.start()));
  return planned;
}

/** The test's own connections to the services, their databases and the broker. */
async function connect(prefix: string, addresses: Addresses, options: TestNetworkOptions, closing: Closing) {
  const tls = tlsFilesOf(options.settings ?? {});
  const realm = closing.later(connectRpc('realm', addresses.realm[0] as string, tls));
  const messages = closing.later(connectRpc('messages', addresses.messages[0] as string, tls));
  const http = closing.later(createHttpClient(addresses.gateway[0] as string));
  const databases = openDatabases(prefix);
  for (const database of Object.values(databases)) closing.later(database);
  const url = options.natsUrl ?? testServers().natsUrl;
  const bus = await connectBus({ url, prefix, name: 'test', log: testLogger() });
  closing.later(bus.connection);
  // What tests change in realm's database counts from the next request on.
  databases.realm.beforeCommit(endLeasesBeforeCommit({ bus, log: testLogger() }));
  return { http, realm, messages, databases, bus };
}

type Addresses = Readonly<Record<ServiceName, string[]>>;

function plan(prefix: string, options: TestNetworkOptions) {
  const { clock, natsUrl, brands, settings, checkout, onLine, processes = [], joint } = options;
  const { eventsPods = 1, messagesReplicas = 1 } = options;
  return planReplicas({
    prefix,
    natsUrl,
    brands,
    settings,
    processes,
    joint,
    checkout,
    onLine,
    counts: { events: eventsPods, messages: messagesReplicas, ...options.replicas },
    overrides: { log: options.log ?? testLogger(), ...(clock && { clock }) },
  });
}

function firstOf(addresses: Addresses): Record<ServiceName, string> {
  const entries = Object.entries(addresses).map(([name, [first]]) => [name, first]);
  return Object.fromEntries(entries);
}

function testLogger() {
  return createLogger('test', process.env['TEST_LOG_LEVEL'] ?? 'silent');
}

function openDatabases(prefix: string): Record<DatabaseOwner, Database> {
  const entries = SCHEMAS.map(({ service }) => {
    const url = databaseUrl(testServers().databaseUrl, prefix, service);
    return [service, openDatabase({ url, poolSize: 2, applicationName: 'test' })];
  });
  return Object.fromEntries(entries);
}

type ClientOf = TestNetwork['clientOf'];

function clientsThrough(http: HttpClient, settled: () => Promise<void>): ClientOf {
  return (account, subdomain = eg.home.subdomain) =>
    createTestClient(account, subdomain === '' ? EXTERNAL_HOST : `${subdomain}.${EXTERNAL_HOST}`, http, settled);
}

function clientsOf({ zoe, ...people }: Cast, clientOf: ClientOf): Record<Person, TestClient> {
  const clients = Object.entries(people).map(([name, account]) => [name, clientOf(account)]);
  return { ...Object.fromEntries(clients), zoe: clientOf(zoe, eg.away.subdomain) };
}

function statementsOf(replicas: Replicas): number {
  const counts = Object.values(replicas).flatMap((each) => each.map(({ service }) => service?.db?.statementCount ?? 0));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Less than a test may take, so that it says what it waits for. */
const SETTLED_WITHIN_MS = 90_000;

function settlingOf(replicas: Replicas, databases: Record<DatabaseOwner, Database>, bus: Bus): () => Promise<void> {
  const settling = shareLoads(
    () => settle(replicas, databases, bus),
    () => 'all',
  );
  return () => settling(undefined);
}

/** A notice becomes a message, which may be the first one of its channel: realm announces that. Changes may go on meanwhile. */
const LONGEST_CHAIN = 4;

async function settle(replicas: Replicas, databases: Record<DatabaseOwner, Database>, bus: Bus): Promise<void> {
  // Read from the databases, because services may run in other processes.
  const untilPublished = () =>
    Promise.all(
      SCHEMAS.map(({ service }) => {
        const sql = lentBy(replicas[service]) ?? databases[service];
        return untilNone(`events of ${service} are not published`, () => countUnpublished(sql));
      }),
    );
  await untilPublished();
  // Services announce events while they consume, which others consume.
  for (let head = -1, link = 0; link < LONGEST_CHAIN; link += 1) {
    const { state } = await bus.jsm.streams.info(bus.stream);
    if (state.last_seq === head) break;
    head = state.last_seq;
    await untilNone('records are not handled', () => countUnconsumed(bus));
    await untilPublished();
  }
  await Promise.all(replicas.events.map(({ service }) => service?.caughtUp?.()));
}

/** The connections of a service of this process, where each further one costs 10 ms. Their statements are not counted. */
function lentBy(replicas: Replicas[DatabaseOwner]): Sql | undefined {
  const pool = replicas.find(({ service }) => service?.db)?.service?.db?.pool;
  return pool && { query: (sql, values = []) => run(pool, sql, values) };
}

async function untilNone(what: string, count: () => Promise<number>): Promise<void> {
  const begin = performance.now();
  for (let left = await count(); left > 0; left = await count()) {
    const waitedMs = performance.now() - begin;
    if (waitedMs > SETTLED_WITHIN_MS)
      throw new Error(`the network is not settled after ${SETTLED_WITHIN_MS} ms: ${left} ${what}`);
    await sleep(pauseAfter(waitedMs));
  }
}
