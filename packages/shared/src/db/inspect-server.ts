import { z } from 'zod';
import { ConfigError } from '../errors';
import type pg from './driver';
import { createClient } from './driver';
import { composed, type Sql, statement } from './sql';

/** The oldest supported PostgreSQL. */
const OLDEST = 15;
const LIMITS = { connectionTimeoutMillis: 10_000, query_timeout: 5_000 };
/** Under load another client may take the expected connection. */
const LOOKS = 5;
const ONLY_SESSIONS =
  'DATABASE_URL leads to a pooler that shares connections between transactions, which loses locks and settings of a session: set its pool_mode to session, or name PostgreSQL itself';

export interface InspectedServer {
  /** pgbouncer or another pooler is in between: it refuses most startup parameters. */
  isPooled: boolean;
}

/**
 * Checks the server behind an address before it is used. Throws ConfigError, in one line, if PostgreSQL is too old, or if a
 * pooler in between does not use session pooling.
 */
export async function inspectServer(url: string): Promise<InspectedServer> {
  return withClient(url, (client) => inspectBy(client, url));
}

/** The same on a client that is connected to the address. */
export async function inspectBy(client: pg.Client, url: string): Promise<InspectedServer> {
  const { rows } = await client.query(
    `select pg_backend_pid() as pid, current_setting('server_version_num')::int / 10000 as version`,
  );
  const [{ pid, version }] = rows;
  if (version < OLDEST)
    throw new ConfigError(`DATABASE_URL: PostgreSQL ${version} is too old; it must be ${OLDEST} or newer`);
  // A pooler reports process ids of its own to its clients.
  if (pid === (client as unknown as { processID: number }).processID) return { isPooled: false };
  await withClient(url, (other) => requireSessions(client, other));
  return { isPooled: true };
}

/** A session must keep its connection between two statements: poolers in transaction mode are refused. */
async function requireSessions(client: pg.Client, other: pg.Client): Promise<void> {
  const own = await pidOf(client);
  for (let look = 0; look < LOOKS; look += 1) {
    // If the connection belongs to its session, this one waits until the timeout.
    const taken = await other.query('begin').then(
      () => pidOf(other),
      (error: Error) => {
        if (/statement pooling/.test(error.message)) throw new ConfigError(ONLY_SESSIONS);
        return undefined;
      },
    );
    if (taken === undefined) return;
    if (taken === own || (await pidOf(client)) !== own) throw new ConfigError(ONLY_SESSIONS);
    await other.query('commit');
  }
}

async function pidOf(client: pg.Client): Promise<number> {
  return (await client.query('select pg_backend_pid() as pid')).rows[0].pid;
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = createClient({ ...LIMITS, connectionString: url, application_name: 'inspect' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

const READ_VERSION = statement(`select current_setting('server_version') as version`, { version: z.string() });

/** The version that the server reports; for operators. */
export async function readServerVersion(sql: Sql): Promise<string> {
  const [row] = await sql.query(READ_VERSION);
  return `PostgreSQL ${row?.version}`;
}

const LIST_MIGRATIONS = statement('select name from schema_migration order by name', { name: z.string() });

/** The migrations that were applied to the database. */
export async function listAppliedMigrations(sql: Sql): Promise<string[]> {
  return (await sql.query(LIST_MIGRATIONS)).map(({ name }) => name);
}

const PING = composed('select true as ok', { ok: z.literal(true) });

/** Resolves when the database answers. Throws ServiceUnavailableError. */
export async function pingDatabase(sql: Sql): Promise<void> {
  await sql.query(PING);
}
