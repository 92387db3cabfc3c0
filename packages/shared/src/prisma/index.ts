import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { Transaction } from '../db';
import { connectionOf, type Database } from '../db/database';

/** What a generated PrismaClient offers to begin a transaction; `Inside` is the client within it. */
interface BeginsTransactions<Inside> {
  $transaction<Result>(work: (inside: Inside) => Promise<Result>, options?: { timeout?: number }): Promise<Result>;
}

/** The connection that the next transaction of Prisma's runs on; taken once. */
const offered = new AsyncLocalStorage<{ connection: pg.ClientBase | undefined }>();

/** The server ends a transaction that is idle for so long, see STARTING in database.ts. */
const TIMEOUT_MS = 60_000;
const BOUNDARY = /^(begin|commit|rollback)$/i;

/** The driver adapter for a service's PrismaClient: it shares the service's pool, and can join its transactions. */
export function prismaAdapter({ pool }: Pick<Database, 'pool'>): PrismaPg {
  return new PrismaPg(
    new Proxy(pool, {
      get: (target, property) =>
        property === 'connect' ? connectOrJoin(target) : Reflect.get(target, property, target),
    }),
  );
}

/**
 * Runs `work` in one transaction of the service's database: SQL by `tx`, plain tables by `prisma`, and announce(tx, …); all is committed, or
 * nothing. `client` must have been made with prismaAdapter() of the same database. Errors of `work` come back as they are.
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
      BOUNDARY.test(query.text) ? Promise.resolve({ fields: [], rows: [], rowCount: 0 }) : connection.query(query),
    on: () => {},
    removeListener: () => {},
    release: () => {},
  };
}
