import { z } from 'zod';
import { composed, type Sql } from './sql';

/** A table whose rows belong to organizations. */
export interface RealmTable {
  table: string;
  /** An SQL condition: other rows are kept. */
  only?: string;
}

/**
 * Deletes at most `limit` rows of an organization from the tables, one table after the other; complete if there were none. Called
 * by the purge of each service with a database, which lists a table before those that it refers to.
 */
export async function deleteRowsOfRealm(
  sql: Sql,
  tables: readonly RealmTable[],
  realmId: number,
  limit: number,
): Promise<{ deleted: number; isComplete: boolean }> {
  let deleted = 0;
  for (const table of tables) {
    deleted += await deleteSome(sql, table, realmId, limit - deleted);
    if (deleted >= limit) break;
  }
  return { deleted, isComplete: deleted === 0 };
}

const COUNT = { count: z.number() };

async function deleteSome(sql: Sql, { table, only = 'true' }: RealmTable, realmId: number, limit: number) {
  // NOTE: by an index. PostgreSQL remembers that the table had many rows of the organization, and would read all of it for the next ones
  // once they are gone.
  const deletion = composed(
    `set local enable_seqscan = off;
     with gone as (
       delete from ${table} where ctid = any(array(select ctid from ${table} where realm_id = $1 and ${only} limit $2)) returning 1
     )
     select count(*) as count from gone`,
    COUNT,
  );
  const [row] = await sql.query(deletion, [realmId, limit]);
  return row?.count ?? 0;
}
