import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { Transaction } from '../db';
import { connectionOf, type Database } from '../db/database';
import { answered } from '../db/lost-connection';

/** What a generated PrismaClient offers to begin a transaction; `Inside` is the client within it. */
interface BeginsTransactions<Inside> {
  $transaction<Result>(work: (inside: Inside) => Promise<Result>, options?: { timeout?: number }): Promise<Result>;
}

/** The connection that the next transaction of Prisma's runs on; taken once. */
const offered = new AsyncLocalStorage<{ connection: pg.ClientBase | undefined }>();

/** The server ends a transaction that is idle for so long, see STARTING in database.ts. */
const TIMEOUT_MS = 60_000;
const BOUNDARY = /^(begin|commit|rollback)$/i;

interface Client {
  $extends(extension: never): unknown;
}

interface Operation {
  args: unknown;
  query(args: unknown): Promise<unknown>;
}

/**
 * A service's PrismaClient. It shares the service's pool, can join its transactions, and throws what Database.query() throws:
 * ServiceUnavailableError when the database is away or its disk is full. Called where a service starts.
 */
export function openPrisma<Prisma extends Client>(
  db: Pick<Database, 'pool'>,
  open: (adapter: PrismaPg) => Prisma,
): Prisma {
  const $allOperations = ({ args, query }: Operation) => query(args).catch(throwCause);
  return open(prismaAdapter(db)).$extends({ query: { $allOperations } } as never) as Prisma;
}

/** NOTE: in the place of an error that has a code Prisma throws one of its own, and hands on all others: what has failed travels inside. */
class Failed extends Error {
  constructor(override readonly cause: unknown) {
    super('a statement of Prisma has failed');
  }
}

function throwCause(error: unknown): never {
  throw error instanceof Failed ? error.cause : error;
}

function outcome<Result>(answer: Promise<Result>): Promise<Result> {
  return answered(answer).catch((error) => {
    throw new Failed(error);
  });
}

function prismaAdapter({ pool }: Pick<Database, 'pool'>): PrismaPg {
  const replaced: Record<PropertyKey, unknown> = {
    connect: connectOrJoin(pool),
    query: (statement: pg.QueryConfig) => outcome(pool.query(statement)),
  };
  return new PrismaPg(new Proxy(pool, { get: (target, name) => replaced[name] ?? Reflect.get(target, name, target) }));
}

/**
 * Runs `work` in one transaction of the service's database: SQL by `tx`, plain tables by `prisma`, and announce(tx, …); all is committed, or
 * nothing. `client` must have been made with openPrisma() on the same database. Errors of `work` come back as they are.
 */
export function prismaTransaction<Inside, Result>(
  db: Database,
  client: BeginsTransactions<Inside>,
  work: (tx: Transaction, prisma: Inside) => Promise<Result>,
): Promise<Result> {
  return db.transaction((tx) =>
    offered.run({ connection: connectionOf(tx) }, () =>
      client.$transaction((prisma) => work(tx, prisma), { timeout: TIMEOUT_MS }),
    ),
  );
}

type Connect = pg.Pool['connect'];

/** pool.connect(), or the connection of the transaction that is to be joined. */
function connectOrJoin(pool: pg.Pool): Connect {
  const connect = (...parameters: Parameters<Connect>) => {
    const offer = offered.getStore();
    if (offer?.connection === undefined) return pool.connect(...parameters);
    const { connection } = offer;
    offer.connection = undefined;
    return Promise.resolve(joined(connection));
  };
  return connect as Connect;
}

/** A connection that is within a transaction already: its beginning, its end and its release belong to who began it. */
function joined(connection: pg.ClientBase) {
  return {
    query: (query: { text: string }) =>
      BOUNDARY.test(query.text)
        ? Promise.resolve({ fields: [], rows: [], rowCount: 0 })
        : outcome(connection.query(query)),
    on: () => {},
    removeListener: () => {},
    release: () => {},
  };
}
