import type { Sql } from '@parley/shared/db';

/** Holds an inviter until the transaction ends; whether their account was out of use, when that was last heard of. */
export async function lockInviter(sql: Sql, realmId: number, userId: number): Promise<boolean> {
  const [row] = await sql.query<{ isEnded: boolean }>(
    `insert into inviter (realm_id, user_id) values ($1, $2)
     on conflict (realm_id, user_id) do update set user_id = excluded.user_id returning is_ended as "isEnded"`,
    [realmId, userId],
  );
  return (row as { isEnded: boolean }).isEnded;
}

/** The accounts are out of use: waits for what they are inviting, and has them looked at before they invite again. */
export async function endInviters(sql: Sql, realmId: number, userIds: readonly number[]): Promise<void> {
  await sql.query(
    `insert into inviter (realm_id, user_id, is_ended)
     select $1, id, true from (select distinct unnest($2::bigint[]) as id) ended order by id
     on conflict (realm_id, user_id) do update set is_ended = true`,
    [realmId, userIds],
  );
}

/** The account is in use again. */
export async function readmitInviter(sql: Sql, realmId: number, userId: number): Promise<void> {
  await sql.query('update inviter set is_ended = false where realm_id = $1 and user_id = $2', [realmId, userId]);
}
