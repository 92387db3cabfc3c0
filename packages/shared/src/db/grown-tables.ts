import { z } from 'zod';
import type { Database } from './database';
import { composed, run } from './sql';

/** A table of some hundred rows is read as a whole as fast as by an index. */
const FEW_ROWS = 250;

// NOTE: committed rows only. Statistics that were made while most rows belong to a transaction under way would say that there are none.
const LIST_GROWN = composed(
  `select format('%I.%I', s.schemaname, s.relname) as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
   where s.schemaname = current_schema() and s.n_live_tup >= 2 * greatest(c.reltuples, $1)`,
  { name: z.string() },
);

/**
 * Renews the statistics of tables that have doubled since: all sessions then plan their prepared statements anew. PostgreSQL does the same once
 * a minute, and until then would read thousands of new rows one by one, as when there were a few. Not counted among the database's statements.
 */
export async function analyzeGrownTables({ pool }: Pick<Database, 'pool'>): Promise<string[]> {
  const grown = await run(pool, LIST_GROWN, [FEW_ROWS]);
  for (const { name } of grown) await run(pool, composed(`analyze ${name}`), []);
  return grown.map(({ name }) => name);
}
