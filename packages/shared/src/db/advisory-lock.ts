import { z } from 'zod';
import { createClient } from './driver';
import { composed, run, type Sql } from './sql';
import { getTypeParser } from './type-parsers';

/**
 * Detects a server that has vanished without closing the connection; likewise the server releases the lock of a vanished client.
 */
const LIMITS = {
  connectionTimeoutMillis: 10_000,
  query_timeout: 70_000,
  keepAlive: true,
};
/** NOTE: not startup parameters: a pooler would refuse them. The last of the settings is that of all connections, see database.ts. */
const TRY = composed(
  `select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
     set_config('tcp_keepalives_count', '3', false), set_config('plan_cache_mode', 'force_generic_plan', false),
     pg_try_advisory_lock(hashtextextended($1, 0)) as ok`,
  { set_config: z.string(), ok: z.boolean() },
);

/**
 * Runs `work` on a separate connection while that connection has the named advisory lock of the database; returns false at once
 * if another session has it. A lost connection also loses the lock: the next query of `work` rejects. For work that one replica
 * of several does.
 */
export async function withAdvisoryLock(url: string, name: string, work: (sql: Sql) => Promise<void>): Promise<boolean> {
  const client = createClient({ ...LIMITS, connectionString: url, application_name: name, types: { getTypeParser } });
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
