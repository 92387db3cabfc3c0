import type { Sql } from '@parley/shared/db';

/** Holds the organization's row: whoever else wants to change what is the organization's waits for the transaction to end. */
export async function lockRealm(sql: Sql, realmId: number): Promise<void> {
  await sql.query('select 1 from realm where id = $1 for no key update', [realmId]);
}
