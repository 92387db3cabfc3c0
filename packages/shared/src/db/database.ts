import { EventEmitter } from 'node:events';
import pg from 'pg';
import { z } from 'zod';
import { Admission } from '../batch';
import { Durations, declareGauge, onScrape } from '../observability';
import { answered } from './lost-connection';
import { type AnyStatement, composed, run, type Sql, type Statement, statement, type Transaction } from './sql';

const INT8 = 20;
const INT8_ARRAY = 1016;
const TIMESTAMPTZ = 1184;

const BEGIN = composed('begin');
const BEGIN_READING = composed('begin isolation level repeatable read read only');
const COMMIT = composed('commit');
const CURRENT_SNAPSHOT = statement('select pg_current_snapshot()::text as snapshot', { snapshot: z.string() });

/** One service's database: a pool, transactions, and word to the outbox relay. */
export interface Database extends Sql {
  /** For Prisma's adapter, so that one pool serves both. */
  readonly pool: pg.Pool;
  /** For Prisma's adapter: answers one of its statements, which is counted and measured, and fails, like those of query(). */
  answer(client: pg.ClientBase | pg.Pool, statement: pg.QueryConfig): Promise<pg.QueryResult>;
  readonly url: string;
  /** Statements sent so far, transaction control included; asserted by budget tests. */
  readonly statementCount: number;
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Reads everything as of one moment; `snapshot` says which changes that moment has seen, see TransactionSnapshot. A connection is held until
   * `read` is over, whatever it waits for: such readings share half of the pool, and one must not begin another.
   */
  readAtOnce<Result>(read: (sql: Sql) => Promise<Result>): Promise<AsOfSnapshot<Result>>;
  /** Called after every commit that announced something; the outbox relay sets it. */
  onAnnounced: () => void;
  /** Calls `listener` after every commit of a transaction with that order, until the returned function is called. */
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

/** The address of `<prefix>_<service>` on the server that `serverUrl` names. */
export function databaseUrl(serverUrl: string, prefix: string, service: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${prefix}_${service}`;
  return url.toString();
}

/** What a connection begins with. */
const STARTING = {
  // Compiling a statement takes longer than any of ours runs. Prisma reads and writes times without their zone.
  options: '-c jit=off -c timezone=UTC',
  // A statement that runs for so long serves nobody any more.
  statement_timeout: 60_000,
  idle_in_transaction_session_timeout: 60_000,
};
/** The same for a pooler, which would refuse it at the beginning. */
const SET =
  "set jit = off; set timezone = 'UTC'; set statement_timeout = 60000; set idle_in_transaction_session_timeout = 60000";

/** Opens the pool; connections are made when first needed. */
export function openDatabase({ url, poolSize, applicationName, isPooled = false }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: applicationName,
    types: { getTypeParser },
    ...(isPooled ? { onConnect: (client: pg.ClientBase) => client.query(SET) as unknown as undefined } : STARTING),
    connectionTimeoutMillis: 10_000,
    // The server has ended it by then, unless it has vanished without a word.
    query_timeout: 65_000,
    keepAlive: true,
  });
  // NOTE: without a listener an idle connection's loss would end the process; the pool replaces it by itself.
  pool.on('error', () => {});
  const { measured, stop } = measureDatabase(pool, applicationName);
  const runMeasured: RunStatement = (client, sql, values) => measured(() => run(client, sql, values));
  const readings = new Admission({ atOnce: Math.max(1, Math.floor(poolSize / 2)) });
  let statementCount = 0;
  const committed = new EventEmitter();
  const database: Database = {
    pool,
    url,
    get statementCount() {
      return statementCount;
    },
    onAnnounced: () => {},
    query(sql, values = []) {
      statementCount += 1;
      return runMeasured(pool, sql, values);
    },
    answer(client, statement) {
      statementCount += 1;
      return measured(() => answered(client.query(statement)));
    },
    async transaction(work) {
      const result = await inTransaction({ pool, count: () => (statementCount += 1), runMeasured }, BEGIN, work);
      if (result.hasAnnounced) database.onAnnounced();
      for (const order of result.orders) committed.emit(order);
      return result.value;
    },
    onCommitted(order, listener) {
      committed.on(order, listener);
      return () => void committed.off(order, listener);
    },
    async readAtOnce(read) {
      const source = { pool, count: () => (statementCount += 1), runMeasured };
      const { value } = await readings.run(() => inTransaction(source, BEGIN_READING, (tx) => readFrom(tx, read)));
      return value;
    },
    close() {
      stop();
      return pool.end();
    },
  };
  return database;
}

const connections = new WeakMap<Transaction, pg.ClientBase>();

/** For prismaTransaction(): the connection on which a transaction of this module runs. */
export function connectionOf(tx: Transaction): pg.ClientBase {
  const connection = connections.get(tx);
  if (!connection) throw new Error('not a transaction of shared/db');
  return connection;
}

async function readFrom<Result>(tx: Sql, read: (sql: Sql) => Promise<Result>): Promise<AsOfSnapshot<Result>> {
  const [row] = await tx.query(CURRENT_SNAPSHOT);
  const { sql, end } = oneAfterTheOther(tx);
  const result = await read(sql).finally(end);
  return { snapshot: (row as { snapshot: string }).snapshot, result };
}

/** For readers that ask for several things at once: the connection runs one statement at a time, and none after the end. */
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

async function inTransaction<Result>(
  { pool, count, runMeasured }: { pool: pg.Pool; count: () => void; runMeasured: RunStatement },
  begin: Statement<never>,
  work: (tx: Transaction) => Promise<Result>,
): Promise<{ value: Result; hasAnnounced: boolean; orders: Iterable<string> }> {
  const client = await answered(pool.connect());
  const tx: Transaction = {
    hasAnnounced: false,
    orders: new Set(),
    query(sql, values = []) {
      count();
      return runMeasured(client, sql, values);
    },
  };
  connections.set(tx, client);
  let isConnectionLost = false;
  try {
    await tx.query(begin);
    const value = await work(tx);
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

const parsers = new Map<number, (text: string) => unknown>([
  // Ids and counters stay far below 2^53.
  [INT8, Number],
  [INT8_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number))],
  [TIMESTAMPTZ, (text) => Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))],
]);

/** Every connection reads bigints and timestamps as numbers (milliseconds). */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return parsers.get(oid) ?? pg.types.getTypeParser(oid, format as 'text');
}

const statements = new Durations(
  'parley_database_statement_seconds',
  'Statements, outside of transactions with the wait for a connection',
);
const poolConnections = declareGauge('parley_database_connections', 'Connections of the pool', ['database', 'state']);
const waiting = declareGauge('parley_database_waiting', 'Who waits for a connection of the pool', ['database']);

type RunStatement = typeof run;

/** Has a pool and what runs on it measured, until stop(). Called by openDatabase(). */
function measureDatabase(pool: pg.Pool, database: string) {
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
