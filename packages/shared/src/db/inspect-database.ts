import type { Sql } from './sql';

/** What the server says it is; for whoever operates it. */
export async function readServerVersion(sql: Sql): Promise<string> {
  const [row] = await sql.query<{ version: string }>(`select current_setting('server_version') as version`);
  return `PostgreSQL ${(row as { version: string }).version}`;
}

/** The migrations that have made the database. */
export async function listAppliedMigrations(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ name: string }>('select name from schema_migration order by name');
  return rows.map(({ name }) => name);
}
