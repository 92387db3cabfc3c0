import pg from 'pg';
import { z } from 'zod';
import { getTypeParser } from './database';
import { composed, run, type Sql } from './sql';

/** Detects a server that has vanished without closing the connection; the server likewise frees the lock of a vanished holder. */
const LIMITS = {
  connectionTimeoutMillis: 10_000,
  query_timeout: 70_000,
  keepAlive: true,
};
/** NOTE: not parameters that the connection begins with: a pooler would refuse them. */
const TRY = composed(
  `select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
     set_config('tcp_keepalives_count', '3', false), pg_try_advisory_lock(hashtextextended($1, 0)) as ok`,
  { set_config: z.string(), ok: z.boolean() },
);

/**
 * Runs `work` on a connection of its own while that connection holds the named lock of the database; answers false at once when
 * somebody else holds it. A lost connection loses the lock, too: the next query of `work` rejects. Called where one replica of
 * several does a job.
 */
export async function withAdvisoryLock(url: string, name: string, work: (sql: Sql) => Promise<void>): Promise<boolean> {
  const client = new pg.Client({ ...LIMITS, connectionString: url, application_name: name, types: { getTypeParser } });
  // NOTE: without a listener the loss of the connection would end the process.
  client.on('error', () => {});
  await client.connect();
  const sql: Sql = { query: (statement, values = []) => run(client, statement, values) };
  try {
    const [row] = await sql.query(TRY, [name]);
    if (row?.ok) await work(sql);
    return row?.ok === true;
  } finally {
    await client.end().catch(() => {});
  }
}
