import type { Sql } from '@parley/shared/db';

/** Those of the channels that are archived. */
export async function listArchivedIds(sql: Sql, realmId: number, channelIds: readonly number[]): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    'select id from channel where realm_id = $1 and id = any($2::bigint[]) and is_archived',
    [realmId, channelIds],
  );
  return rows.map(({ id }) => id);
}
