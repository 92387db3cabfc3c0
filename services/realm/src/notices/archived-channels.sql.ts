import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

const LIST_ARCHIVED = statement(
  'select id from channel where realm_id = $1 and id = any($2::bigint[]) and is_archived',
  { id: z.number() },
);

/** The archived ones of the channels. */
export async function listArchivedIds(sql: Sql, realmId: number, channelIds: readonly number[]): Promise<number[]> {
  const rows = await sql.query(LIST_ARCHIVED, [realmId, channelIds]);
  return rows.map(({ id }) => id);
}
