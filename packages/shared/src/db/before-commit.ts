import type pg from './driver';
import type { AnyStatement, Transaction } from './sql';

/** What a service does before a transaction commits in which triggers have asked for it, by `raise info 'before commit'` with a detail. */
export interface BeforeCommit {
  /** A setting that is on in the transactions of this service, so that the triggers know that somebody listens. */
  setting: string;
  /** The tables of these triggers: statements that write them get a transaction, where they have none. */
  tables: readonly string[];
  /** Once for each transaction, with the details. If it rejects, the transaction is rolled back. */
  run(tx: Transaction, details: readonly string[]): Promise<void>;
}

const REQUEST = 'before commit';

/** The requests of triggers, by connection, while it is in a transaction. */
const requests = new WeakMap<object, string[]>();

/** Listens to the triggers on each new connection of a pool. */
export function hearTriggers(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    client.on('notice', ({ message, detail }) => {
      if (message === REQUEST && detail !== undefined) requests.get(client)?.push(detail);
    });
  });
}

/** What triggers ask for on the connection from now on. */
export function requestsOn(client: pg.ClientBase): readonly string[] {
  const details: string[] = [];
  requests.set(client, details);
  return details;
}

/** Whether a statement writes one of the tables. */
export function writesOneOf(tables: readonly string[]): (sql: AnyStatement<unknown>) => boolean {
  // `for update of`, `do update set` and `key update` have no such name.
  const writing = new RegExp(
    String.raw`\b(?:insert into|update|delete from)\s+(?:only\s+)?(?:"public"\.)?"?(?:${tables.join('|')})\b`,
    'i',
  );
  return (sql) => writing.test(typeof sql === 'string' ? sql : sql.text);
}
