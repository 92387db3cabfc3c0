import type { Sql } from '@parley/shared/db';
import type { MutedUser } from '@parley/shared/proto';

/** Whom the user has muted, longest ago first. */
export async function listMutedUsers(sql: Sql, realmId: number, userId: number): Promise<MutedUser[]> {
  return sql.query(
    `select muted_user_id as "userId", muted_at as "mutedAtMs" from muted_user
     where realm_id = $1 and user_id = $2 order by muted_at, muted_user_id`,
    [realmId, userId],
  );
}

export interface Muting {
  realmId: number;
  userId: number;
  mutedUserId: number;
}

/** False when they were muted before. */
export async function insertMutedUser(
  sql: Sql,
  { realmId, userId, mutedUserId, mutedAtMs }: Muting & { mutedAtMs: number },
): Promise<boolean> {
  const rows = await sql.query(
    `insert into muted_user (realm_id, user_id, muted_user_id, muted_at) values ($1, $2, $3, to_timestamp($4 / 1000.0))
     on conflict do nothing returning 1`,
    [realmId, userId, mutedUserId, mutedAtMs],
  );
  return rows.length > 0;
}

/** False when they were not muted. */
export async function deleteMutedUser(sql: Sql, { realmId, userId, mutedUserId }: Muting): Promise<boolean> {
  const rows = await sql.query(
    'delete from muted_user where realm_id = $1 and user_id = $2 and muted_user_id = $3 returning 1',
    [realmId, userId, mutedUserId],
  );
  return rows.length > 0;
}
