import { EventEmitter } from 'node:events';
import { z } from 'zod';
import { Admission } from '../batch';
import { Durations, declareGauge, onScrape } from '../observability';
import { type BeforeCommit, hearTriggers, requestsOn, writesOneOf } from './before-commit';
import pg from './driver';
import { answered } from './lost-connection';
import { type AnyStatement, composed, onlyRow, run, type Sql, type Statement, type Transaction } from './sql';
import { getTypeParser } from './type-parsers';

const BEGIN = composed('begin');
const BEGIN_READING = composed(
  'begin isolation level repeatable read read only; select pg_current_snapshot()::text as snapshot',
  { snapshot: z.string() },
);
const COMMIT = composed('commit');

/** One service's database: a pool, transactions, and the signal to the outbox relay. */
export interface Database extends Sql {
  /** For Prisma's adapter, so that one pool serves both. */
  readonly pool: pg.Pool;
  /** For Prisma's adapter: runs one of its statements, which is counted and measured, and fails like those of query(). */
  answer(client: pg.ClientBase | pg.Pool, statement: pg.QueryConfig): Promise<pg.QueryResult>;
  readonly url: string;
  /** Statements sent so far, transaction control included; asserted by budget tests. */
  readonly statementCount: number;
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Reads everything as of one moment; `snapshot` says which changes that moment includes, see TransactionSnapshot. It uses a
   * connection until `read` ends. Such reads share half of the pool, and one must not start another.
   */
  readAtOnce<Result>(read: (sql: Sql) => Promise<Result>): Promise<AsOfSnapshot<Result>>;
  /** Called after every commit that announced something; the outbox relay sets it. */
  onAnnounced: () => void;
  /** Has something done before commits, from now on. */
  beforeCommit(work: BeforeCommit): void;
  /**
   * Calls `listener` after each commit of a transaction with that task (see Transaction), until the returned function is called.
   */
  onCommitted(order: string, listener: () => void): () => void;
  close(): Promise<void>;
}

export interface AsOfSnapshot<Result> {
  result: Result;
  /** `pg_current_snapshot()` */
  snapshot: string;
}

export interface DatabaseOptions {
  /** The service's own database, see databaseUrl(). */
  url: string;
  poolSize: number;
  applicationName: string;
  /** See inspectServer(). */
  isPooled?: boolean;
}

/** The address of `<prefix>_<service>` on the server of `serverUrl`. */
export function databaseUrl(serverUrl: string, prefix: string, service: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${prefix}_${service}`;
  return url.toString();
}

/**
 * The settings of each connection. JIT compilation would take longer than any of our statements, and planning takes longer than most of them: a
 * prepared statement has one plan for all values. Prisma reads and writes times without their zone.
 */
const STARTING = {
  options: '-c jit=off -c plan_cache_mode=force_generic_plan -c timezone=UTC',
  // A statement's caller does not wait longer than this.
  statement_timeout: 60_000,
  idle_in_transaction_session_timeout: 60_000,
};
/** The same for a pooler, which would refuse them as startup parameters. */
const SET = `set jit = off; set plan_cache_mode = force_generic_plan; set timezone = 'UTC';
  set statement_timeout = 60000; set idle_in_transaction_session_timeout = 60000`;

const CONNECT_TIMEOUT_MS = 10_000;

/** A pooler accepts a connection whether it has one to PostgreSQL or not: the first statement waits for that. */
async function setThroughPooler(client: pg.ClientBase): Promise<void> {
  const statement = { text: SET, query_timeout: CONNECT_TIMEOUT_MS };
  try {
    await client.query(statement);
  } catch (error) {
    if ((error as Error).message !== 'Query read timeout') throw error;
    throw new Error('timeout expired: the pooler has no connection to PostgreSQL left; see its default_pool_size');
  }
}

/** Opens the pool; connections are opened when first needed. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options);
  const connections = new Connections(pool, options.applicationName);
  const reads = new Admission({ atOnce: Math.max(1, Math.floor(options.poolSize / 2)) });
  const committed = new EventEmitter();
  // NOTE: not a class with private fields, because services derive objects from it.
  const database: Database = {
    pool,
    url: options.url,
    get statementCount() {
      return connections.statementCount;
    },
    onAnnounced: () => {},
    beforeCommit: (work) => connections.guardCommits(work),
    query: (sql, values) => connections.queryAlone(sql, values),
    answer: (client, statement) =>
      client === pool ? connections.answerAlone(statement) : connections.answer(client, statement),
    async transaction(work) {
      const { value, hasAnnounced, orders } = await connections.writing(work);
      if (hasAnnounced) database.onAnnounced();
      for (const order of orders) committed.emit(order);
      return value;
    },
    onCommitted(order, listener) {
      committed.on(order, listener);
      return () => void committed.off(order, listener);
    },
    async readAtOnce(read) {
      const { value } = await reads.run(() =>
        connections.transaction(BEGIN_READING, (tx, begun) => readFrom(tx, onlyRow(begun), read)),
      );
      return value;
    },
    close: () => connections.close(),
  };
  return database;
}

function openPool({ url, poolSize, applicationName, isPooled = false }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: applicationName,
    types: { getTypeParser },
    ...(isPooled ? { onConnect: setThroughPooler } : STARTING),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // Longer than the pauses of periodic tasks: opening a connection is expensive, its password alone takes milliseconds.
    idleTimeoutMillis: 120_000,
    // By then the server has cancelled the statement, unless the connection is dead.
    query_timeout: 65_000,
    keepAlive: true,
  });
  // NOTE: without listeners the loss of a connection would end the process, of an idle one or of one in a transaction; the pool replaces it by itself.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  hearTriggers(pool);
  return pool;
}

/** Runs statements and transactions on a pool, counted and measured. */
class Connections {
  statementCount = 0;
  #needsTransaction: (sql: AnyStatement<unknown>) => boolean = () => false;
  #begin = BEGIN;
  #beforeCommit: BeforeCommit['run'] = async () => {};
  readonly #measured: Measured;
  readonly #stopMeasuring: () => void;

  constructor(
    private readonly pool: pg.Pool,
    database: string,
  ) {
    const { measured, stop } = measureDatabase(pool, database);
    this.#measured = measured;
    this.#stopMeasuring = stop;
  }

  /** A statement outside of transactions: it gets one if triggers may ask for something before the commit. */
  async queryAlone<Row>(sql: AnyStatement<Row>, values?: readonly unknown[]): Promise<Row[]> {
    if (!this.#needsTransaction(sql)) return this.query(this.pool, sql, values);
    return (await this.writing((tx) => tx.query(sql, values))).value;
  }

  /** The same for Prisma. */
  async answerAlone(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    if (!this.#needsTransaction(statement.text)) return this.answer(this.pool, statement);
    return (await this.writing((tx) => this.answer(connectionOf(tx), statement))).value;
  }

  query<Row>(client: pg.ClientBase | pg.Pool, sql: AnyStatement<Row>, values: readonly unknown[] = []): Promise<Row[]> {
    this.statementCount += 1;
    return this.#measured(() => run(client, sql, values));
  }

  answer(client: pg.ClientBase | pg.Pool, statement: pg.QueryConfig): Promise<pg.QueryResult> {
    this.statementCount += 1;
    return this.#measured(() => answered(client.query(statement)));
  }

  guardCommits({ setting, tables, run }: BeforeCommit): void {
    this.#needsTransaction = writesOneOf(tables);
    this.#begin = composed(`begin; set local ${setting} = on`);
    this.#beforeCommit = run;
  }

  /** A transaction that may change something. */
  writing<Result>(work: (tx: Transaction) => Promise<Result>) {
    return this.transaction(this.#begin, async (tx) => {
      const details = requestsOn(connectionOf(tx));
      const value = await work(tx);
      if (details.length > 0) await this.#beforeCommit(tx, details);
      return value;
    });
  }

  async transaction<Result, Begun>(
    begin: Statement<Begun>,
    work: (tx: Transaction, begun: Begun[]) => Promise<Result>,
  ): Promise<{ value: Result; hasAnnounced: boolean; orders: Iterable<string> }> {
    const client = await answered(this.pool.connect());
    const tx: Transaction = {
      hasAnnounced: false,
      orders: new Set(),
      query: (sql, values) => this.query(client, sql, values),
    };
    clients.set(tx, client);
    let isConnectionLost = false;
    try {
      const value = await work(tx, await tx.query(begin));
      await tx.query(COMMIT);
      return { value, hasAnnounced: tx.hasAnnounced, orders: tx.orders };
    } catch (error) {
      await client.query('rollback').catch(() => {
        isConnectionLost = true;
      });
      throw error;
    } finally {
      client.release(isConnectionLost);
    }
  }

  close(): Promise<void> {
    this.#stopMeasuring();
    return this.pool.end();
  }
}

/** The connection of each transaction. */
const clients = new WeakMap<Transaction, pg.ClientBase>();

/** For prismaTransaction(): the connection on which a transaction of this module runs. */
export function connectionOf(tx: Transaction): pg.ClientBase {
  const client = clients.get(tx);
  if (!client) throw new Error('not a transaction of shared/db');
  return client;
}

async function readFrom<Result>(
  tx: Sql,
  { snapshot }: { snapshot: string },
  read: (sql: Sql) => Promise<Result>,
): Promise<AsOfSnapshot<Result>> {
  const { sql, end } = oneAfterTheOther(tx);
  return { snapshot, result: await read(sql).finally(end) };
}

/** For reads that send several statements at once: the connection runs them one by one, and none after the end. */
function oneAfterTheOther(tx: Sql): { sql: Sql; end: () => void } {
  let last: Promise<unknown> = Promise.resolve();
  let isOver = false;
  const query = <Row>(text: AnyStatement<Row>, values?: readonly unknown[]) => {
    const next = last.then(() => {
      if (isOver) throw new Error('the reading is over');
      return tx.query<Row>(text, values);
    });
    last = next;
    return next;
  };
  const end = () => {
    isOver = true;
  };
  return { sql: { query }, end };
}

const statements = new Durations(
  'parley_database_statement_seconds',
  'Statements, outside of transactions with the wait for a connection',
);
const poolConnections = declareGauge('parley_database_connections', 'Connections of the pool', ['database', 'state']);
const waiting = declareGauge('parley_database_waiting', 'Who waits for a connection of the pool', ['database']);

type Measured = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Measures a pool and the statements run through `measured`, until stop(). */
function measureDatabase(pool: pg.Pool, database: string): { measured: Measured; stop: () => void } {
  const duration = statements.of({ database });
  const stop = onScrape(() => [
    { gauge: poolConnections, value: pool.idleCount, labels: { database, state: 'idle' } },
    {
      gauge: poolConnections,
      value: pool.totalCount - pool.idleCount,
      labels: { database, state: 'busy' },
    },
    { gauge: waiting, value: pool.waitingCount, labels: { database } },
  ]);
  return {
    async measured<Result>(work: () => Promise<Result>): Promise<Result> {
      const beganAtMs = performance.now();
      try {
        return await work();
      } finally {
        duration.since(beganAtMs);
      }
    },
    stop,
  };
}
