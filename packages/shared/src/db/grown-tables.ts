import { z } from 'zod';
import type { Database } from './database';
import { composed, run } from './sql';

/** A table of some pages is read as a whole faster than by an index. */
const FEW_PAGES = 4;

const LIST_GROWN = composed(
  `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind = 'r' and n.nspname = current_schema()
     and pg_relation_size(c.oid) >= 2 * greatest(c.relpages, $1) * current_setting('block_size')::bigint`,
  { name: z.string() },
);

/**
 * Renews the statistics of tables that have doubled since: all sessions then plan their prepared statements anew. PostgreSQL does the same once
 * a minute, and until then would read thousands of new rows one by one, as when there were a few. Not counted among the database's statements.
 */
export async function analyzeGrownTables({ pool }: Pick<Database, 'pool'>): Promise<string[]> {
  const grown = await run(pool, LIST_GROWN, [FEW_PAGES]);
  for (const { name } of grown) await run(pool, composed(`analyze ${name}`), []);
  return grown.map(({ name }) => name);
}
