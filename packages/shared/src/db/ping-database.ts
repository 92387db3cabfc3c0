import type { Sql } from './sql';

/** Resolves when the database answers. Throws ServiceUnavailableError. */
export async function pingDatabase(sql: Sql): Promise<void> {
  await sql.query('select 1');
}
