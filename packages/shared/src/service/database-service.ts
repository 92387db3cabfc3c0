import type { Server } from '@grpc/grpc-js';
import { type ArchivePlan, serveArchive } from '../archive';
import { type Bus, connectBus, createOutboxRelay, measureLog, measureRelay, type OutboxRelay } from '../bus';
import {
  analyzeGrownTables,
  awaitSchema,
  type Database,
  databaseUrl,
  type InspectedServer,
  inspectServer,
  openDatabase,
} from '../db';
import { type Dependency, needsDisk, needsNats, needsPostgres, watchDependencies } from '../health';
import { serveInspection } from '../inspection';
import { runPeriodically } from '../jobs';
import { createLogger, type Logger } from '../observability';
import type { ServiceName } from '../proto';
import { type Confirmation, type Implementation, serve } from '../rpc';
import type { Clock } from '../values';
import {
  busOptionsOf,
  type busSettings,
  type databaseSettings,
  type SettingsOf,
  type serviceSettings,
  tlsFilesOf,
} from './config';
import { openDatabaseClock } from './database-clock';
import { inspectedService } from './inspected-service';
import type { Service } from './run';
import { migrateService } from './run-migrations';

/** Settings of every service with a database. */
export interface DatabaseServiceConfig
  extends SettingsOf<typeof serviceSettings & typeof databaseSettings & typeof busSettings> {
  /** Of services that write files. */
  DATA_DIR?: string;
}

/** Outside effects that tests replace. */
export interface Overrides {
  clock?: Clock;
  log?: Logger;
}

/** The context of every action in a service with a database; each service's Context extends it. */
export interface BaseContext<Config> {
  db: Database;
  bus: Bus;
  clock: Clock;
  log: Logger;
  config: Config;
}

/** A service that can report when everything it has committed is in the event log. */
export interface DatabaseService extends Service {
  readonly relay: OutboxRelay;
  readonly db: Database;
}

export interface DatabaseServiceDefinition<S extends ServiceName, Config extends DatabaseServiceConfig> {
  name: S;
  /** The service's folder of SQL files. */
  migrations: string;
  config: Config;
  overrides: Overrides;
  /** The tables of an organization's archive. */
  archive?: ArchivePlan;
  /** Creates the service's context and table of methods; `onStop` registers what must close before the database. */
  wire(base: BaseContext<Config>, onStop: (close: () => Promise<void> | void) => void): Wired<S> | Promise<Wired<S>>;
}

export interface Wired<S extends ServiceName> {
  implementation: Implementation<S>;
  confirmation: Confirmation<S>;
}

const STATISTICS = { everyMs: 5_000, failure: 'statistics of tables could not be renewed' };

/**
 * The common life cycle of realm, messages, invites and scheduler: migrate or wait for it, connect, relay the outbox, serve; and
 * stop in reverse order, so that no running call finds its database closed. Called by each service's create().
 */
export function databaseService<S extends ServiceName, Config extends DatabaseServiceConfig>(
  definition: DatabaseServiceDefinition<S, Config>,
): DatabaseService {
  return new RunningService(definition);
}

class RunningService<S extends ServiceName, Config extends DatabaseServiceConfig> implements DatabaseService {
  readonly #log: Logger;
  /** Called in reverse order. */
  readonly #stops: (() => Promise<void> | void)[] = [];
  #started: Partial<DatabaseService> = {};

  constructor(private readonly definition: DatabaseServiceDefinition<S, Config>) {
    const { name, config, overrides } = definition;
    this.#log = overrides.log ?? createLogger(name, config.LOG_LEVEL);
  }

  get address(): string {
    return this.#started.address ?? this.definition.config.LISTEN;
  }

  get relay(): OutboxRelay {
    return existing(this.#started.relay, this.definition.name);
  }

  get db(): Database {
    return existing(this.#started.db, this.definition.name);
  }

  async start(): Promise<void> {
    try {
      await this.#start();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    for (const close of this.#stops.splice(0).reverse()) await close();
  }

  async #start(): Promise<void> {
    const stopping = new AbortController();
    this.#stops.push(() => stopping.abort());
    const db = this.#openDatabase(await prepareSchema(this.definition, this.#log, stopping.signal));
    const bus = await this.#connectBus();
    const relay = this.#startRelay(db, bus);
    const { config, overrides } = this.definition;
    const base = { db, bus, clock: overrides.clock ?? (await this.#openClock(db)), log: this.#log, config };
    this.#stops.push(runPeriodically(base, STATISTICS, () => analyzeGrownTables(db)));
    const wired = await this.definition.wire(base, (close) => this.#stops.push(close));
    const address = await this.#serve(base, wired);
    this.#started = { db, relay, address };
  }

  #openDatabase({ isPooled }: InspectedServer): Database {
    const { name, config } = this.definition;
    const url = databaseUrl(config.DATABASE_URL, config.DATABASE_PREFIX, name);
    const db = openDatabase({ url, poolSize: config.DATABASE_POOL, applicationName: name, isPooled });
    this.#stops.push(() => db.close());
    return db;
  }

  async #openClock(db: Database): Promise<Clock> {
    const clock = await openDatabaseClock({ db, log: this.#log });
    this.#stops.push(() => clock.stop());
    return clock;
  }

  async #connectBus(): Promise<Bus> {
    const { name, config } = this.definition;
    const bus = await connectBus({ ...busOptionsOf(config), name, log: this.#log });
    this.#stops.push(() => bus.close());
    await bus.ensureStream();
    return bus;
  }

  #startRelay(database: Database, bus: Bus): OutboxRelay {
    const { name } = this.definition;
    const relay = createOutboxRelay({ service: name, database, bus, log: this.#log });
    relay.start();
    this.#stops.push(() => relay.stop(), measureRelay(name, relay), measureLog(name, bus, relay));
    return relay;
  }

  async #serve({ db, bus }: BaseContext<Config>, wired: Wired<S>): Promise<string> {
    const { name, config, archive: plan } = this.definition;
    const log = this.#log;
    const alsoServe = (to: Server) => {
      if (plan) serveArchive(to, { db, plan, log });
      serveInspection(to, inspectedService({ name, config, bus, db }));
    };
    const dependencies = watchDependencies(name, neededBy({ db, bus }, config), log);
    this.#stops.push(() => dependencies.stop());
    const addresses = { address: config.LISTEN, healthAddress: config.HEALTH_LISTEN };
    const tls = tlsFilesOf(config);
    const server = await serve({ service: name, ...wired, ...addresses, dependencies, alsoServe, tls, log });
    this.#stops.push(() => server.stop());
    return server.address;
  }
}

function neededBy({ db, bus }: Pick<BaseContext<unknown>, 'db' | 'bus'>, { DATA_DIR }: DatabaseServiceConfig) {
  const needed: Dependency[] = [needsPostgres(db), needsNats(bus)];
  if (DATA_DIR !== undefined) needed.push(needsDisk(DATA_DIR));
  return needed;
}

/** The schema is up to date before the service opens anything: migrated here or by the migration job. */
async function prepareSchema<S extends ServiceName, Config extends DatabaseServiceConfig>(
  { name, migrations, config }: DatabaseServiceDefinition<S, Config>,
  log: Logger,
  stopping: AbortSignal,
): Promise<InspectedServer> {
  const schema = { service: name, directory: migrations, log };
  const url = databaseUrl(config.DATABASE_URL, config.DATABASE_PREFIX, name);
  if (!config.MIGRATE_ON_START) return awaitSchema({ ...schema, url }, stopping);
  await migrateService(config, schema);
  return inspectServer(url);
}

function existing<T>(part: T | undefined, name: string): T {
  if (part === undefined) throw new Error(`${name} has not been started`);
  return part;
}
