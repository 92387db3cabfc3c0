import '../db/navigator';
import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { Transaction } from '../db';
import { connectionOf, type Database } from '../db/database';
import { nameOf } from '../db/sql';
import { readCompilerFromFile } from './query-compiler';

type PrismaDatabase = Pick<Database, 'pool' | 'answer'>;

interface Client {
  $extends(extension: never): unknown;
}

/**
 * A service's PrismaClient, opened where the service starts. It shares the service's pool, can join its transactions (prismaTransaction), and
 * throws what Database.query() throws: ServiceUnavailableError when the database is unreachable or its disk is full, otherwise PostgreSQL's own
 * error with `code` and `constraint`. Columns of type bigint are `Int` in the Prisma files, so ids are numbers; times are Dates.
 */
export function openPrisma<Prisma extends Client>(db: PrismaDatabase, open: (adapter: PrismaPg) => Prisma): Prisma {
  const $allOperations = ({ args, query }: Operation) => query(args).catch(throwCause);
  const client = open(prismaAdapter(db));
  readCompilerFromFile(client);
  return client.$extends({ query: { $allOperations } } as never) as Prisma;
}

interface Operation {
  args: unknown;
  query(args: unknown): Promise<unknown>;
}

function prismaAdapter(db: PrismaDatabase): PrismaPg {
  const replaced: Record<PropertyKey, unknown> = {
    connect: connectOrJoin(db),
    query: (statement: pg.QueryConfig) => answerOf(db, db.pool, statement),
  };
  const pool = new Proxy(db.pool, { get: (target, name) => replaced[name] ?? Reflect.get(target, name, target) });
  return new PrismaPg(pool, { statementNameGenerator: ({ sql }) => preparedName(sql) as string });
}

/** Texts that depend on the number of values: lists, sets of rows, and lookups of one turn, which Prisma batches. */
const VARYING = / IN \(|\), ?\(|\) OR \(/;
/** There are few texts, so their names are cached. */
const names = new Map<string, string>();

/** Statements with a fixed text are prepared once per connection; others are planned for each call. */
function preparedName(text: string): string | undefined {
  if (VARYING.test(text)) return undefined;
  const name = names.get(text) ?? nameOf(text);
  names.set(text, name);
  return name;
}

/**
 * NOTE: Prisma replaces errors that have a code by its own and passes on all others, so the real error is wrapped in one without
 * a code.
 */
class StatementFailure extends Error {
  constructor(override readonly cause: unknown) {
    super('a statement of Prisma has failed');
  }
}

function throwCause(error: unknown): never {
  throw error instanceof StatementFailure ? error.cause : error;
}

async function answerOf(db: PrismaDatabase, client: pg.ClientBase | pg.Pool, statement: pg.QueryConfig) {
  try {
    return await db.answer(client, statement);
  } catch (error) {
    throw new StatementFailure(error);
  }
}

/** The method of a generated PrismaClient that begins a transaction; `Inside` is the client within it. */
interface BeginsTransactions<Inside> {
  $transaction<Result>(work: (inside: Inside) => Promise<Result>, options?: { timeout?: number }): Promise<Result>;
}

/** The server ends transactions that are idle for this long, see STARTING in database.ts. */
const TIMEOUT_MS = 60_000;

/** The connection on which Prisma's next transaction runs; taken once. */
const offered = new AsyncLocalStorage<Offer>();

interface Offer {
  connection: pg.ClientBase | undefined;
}

/** Number of offers that were not taken yet. */
let waiting = 0;

function take(offer: Offer): pg.ClientBase | undefined {
  const { connection } = offer;
  offer.connection = undefined;
  if (connection === undefined) return undefined;
  waiting -= 1;
  // NOTE: while such a storage is in use, every promise of the process costs several times as much on Node 20.
  if (waiting === 0) offered.disable();
  return connection;
}

/**
 * Runs `work` in one transaction of the service's database: SQL by `tx`, plain tables by `prisma`, and announce(tx, …); all is
 * committed, or nothing. `client` must have been created by openPrisma() on the same database. Errors of `work` are passed on
 * unchanged.
 */
export function prismaTransaction<Inside, Result>(
  db: Database,
  client: BeginsTransactions<Inside>,
  work: (tx: Transaction, prisma: Inside) => Promise<Result>,
): Promise<Result> {
  return db.transaction((tx) => joinTransaction(tx, client, (prisma) => work(tx, prisma)));
}

/**
 * Lets `work` use the typed client in a transaction that was begun elsewhere, such as the one that storeOnce() passes to its
 * callback.
 */
export function joinTransaction<Inside, Result>(
  tx: Transaction,
  client: BeginsTransactions<Inside>,
  work: (prisma: Inside) => Promise<Result>,
): Promise<Result> {
  const offer: Offer = { connection: connectionOf(tx) };
  waiting += 1;
  const joining = offered.run(offer, () => client.$transaction(work, { timeout: TIMEOUT_MS }));
  return joining.finally(() => take(offer));
}

type Connect = pg.Pool['connect'];

/** pool.connect(), or the connection of the transaction that Prisma joins. */
function connectOrJoin(db: PrismaDatabase): Connect {
  const connect = (...parameters: Parameters<Connect>) => {
    const offer = offered.getStore();
    const connection = offer && take(offer);
    return connection ? Promise.resolve(joined(db, connection)) : db.pool.connect(...parameters);
  };
  return connect as Connect;
}

const BOUNDARY = /^(begin|commit|rollback)$/i;

/** A connection inside a transaction: the Database that began it also ends and releases it. */
function joined(db: PrismaDatabase, connection: pg.ClientBase) {
  return {
    query: (statement: pg.QueryConfig) =>
      BOUNDARY.test(statement.text)
        ? Promise.resolve({ fields: [], rows: [], rowCount: 0 })
        : answerOf(db, connection, statement),
    on: () => {},
    removeListener: () => {},
    release: () => {},
  };
}
