import type { Sql } from '@parley/shared/db';

/** Counts no further than `limit`. */
export async function countMessages(sql: Sql, realmId: number, limit: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'select count(*) as count from (select 1 from message where realm_id = $1 limit $2) counted',
    [realmId, limit],
  );
  return row?.count ?? 0;
}
