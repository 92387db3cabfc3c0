import { type Sql, statement } from '@parley/shared/db';
import type { Direction } from './find-messages.sql';

const FIND = {
  before: statement('find-oldest-id', 'select id from message where realm_id = $1 order by id limit 1'),
  after: statement('find-newest-id', 'select id from message where realm_id = $1 order by id desc limit 1'),
};

/** The organization's last message in that direction; 0 when it has none. */
export async function findEndId(sql: Sql, realmId: number, direction: Direction): Promise<number> {
  const [row] = await sql.query<{ id: number }>(FIND[direction], [realmId]);
  return row?.id ?? 0;
}
