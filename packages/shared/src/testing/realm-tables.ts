import type { RealmTable, Sql } from '../db';

/** What is in it ends by itself, soon. */
const PASSING = ['outbox'];

/**
 * Tables with rows of organizations which the service's purge does not name, and those that it names and that do not exist, by name.
 * Called by the test of each service's purge: whoever adds a table adds it there.
 */
export async function unpurgedTables(sql: Sql, purged: readonly RealmTable[]): Promise<string[]> {
  const rows = await sql.query<{ table: string }>(
    `select table_name as "table" from information_schema.columns where table_schema = 'public' and column_name = 'realm_id'`,
  );
  const existing = rows.map(({ table }) => table).filter((table) => !PASSING.includes(table));
  const named = purged.map(({ table }) => table);
  return [
    ...existing.filter((table) => !named.includes(table)),
    ...named.filter((table) => !existing.includes(table)),
  ].sort();
}
