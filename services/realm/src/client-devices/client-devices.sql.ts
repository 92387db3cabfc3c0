import type { Sql } from '@parley/shared/db';

export async function insertClientDevice(sql: Sql, realmId: number, userId: number, nowMs: number): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    `insert into client_device (realm_id, user_id, registered_at) values ($1, $2, to_timestamp($3 / 1000.0)) returning id`,
    [realmId, userId, nowMs],
  );
  return (row as { id: number }).id;
}

/** Removes all but the user's `kept` newest devices; answers the ids of those removed. */
export async function removeOldestClientDevices(
  sql: Sql,
  realmId: number,
  userId: number,
  kept: number,
): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    `delete from client_device where realm_id = $1 and user_id = $2 and id in (
       select id from client_device where realm_id = $1 and user_id = $2 order by id desc offset $3)
     returning id`,
    [realmId, userId, kept],
  );
  return rows.map(({ id }) => id);
}

/** False: the user has no such device. */
export async function deleteClientDevice(sql: Sql, realmId: number, userId: number, id: number): Promise<boolean> {
  const rows = await sql.query(
    'delete from client_device where realm_id = $1 and user_id = $2 and id = $3 returning 1',
    [realmId, userId, id],
  );
  return rows.length > 0;
}
