import type pg from 'pg';
import { answered } from './lost-connection';

/** A statement with a name is prepared once per connection; the name must be unique within the service. */
export interface Statement {
  name: string;
  text: string;
}

/** Something that runs SQL: the database, or a transaction. Rows come as objects, bigints and timestamps as numbers. */
export interface Sql {
  query<Row>(statement: Statement | string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A running transaction. */
export interface Transaction extends Sql {
  /** Set by announce(): after the commit the outbox relay is woken. */
  hasAnnounced: boolean;
  /** What else there is to do after the commit; for those who listen with Database.onCommitted(). */
  readonly orders: Set<string>;
}

/** Declares a prepared statement; for hot paths. */
export function statement(name: string, text: string): Statement {
  return { name, text };
}

/** Runs one statement on a pg client or pool. Throws ServiceUnavailableError when the database is away. */
export async function run<Row>(
  client: pg.ClientBase | pg.Pool,
  sql: Statement | string,
  values: readonly unknown[],
): Promise<Row[]> {
  const query = typeof sql === 'string' ? { text: sql, values: [...values] } : { ...sql, values: [...values] };
  return (await answered(client.query(query))).rows as Row[];
}
