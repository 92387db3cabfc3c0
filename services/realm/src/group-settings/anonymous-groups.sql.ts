import type { Sql } from '@parley/shared/db';

/** Makes an anonymous group without members; it must become the value of a setting in the same transaction. */
export async function insertAnonymousGroup(sql: Sql, realmId: number, createdAtMs: number): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    'insert into user_group (realm_id, created_at) values ($1, to_timestamp($2 / 1000.0)) returning id',
    [realmId, createdAtMs],
  );
  return (row as { id: number }).id;
}

/** Lets the group hold exactly these users and groups. */
export async function replaceContents(
  sql: Sql,
  realmId: number,
  groupId: number,
  { directMemberIds, directSubgroupIds }: { directMemberIds: readonly number[]; directSubgroupIds: readonly number[] },
): Promise<void> {
  await sql.query(
    `with left_members as (
       delete from user_group_member where realm_id = $1 and group_id = $2 and user_id <> all($3::bigint[])
     ), left_subgroups as (
       delete from user_group_subgroup where realm_id = $1 and group_id = $2 and subgroup_id <> all($4::bigint[])
     ), new_members as (
       insert into user_group_member (realm_id, group_id, user_id) select $1, $2, unnest($3::bigint[]) on conflict do nothing
     )
     insert into user_group_subgroup (realm_id, group_id, subgroup_id) select $1, $2, unnest($4::bigint[])
     on conflict do nothing`,
    [realmId, groupId, directMemberIds, directSubgroupIds],
  );
}

/** Deletes an anonymous group that no setting points to any more. */
export async function deleteAnonymousGroup(sql: Sql, realmId: number, groupId: number): Promise<void> {
  await sql.query(
    `with members as (
       delete from user_group_member where realm_id = $1 and group_id = $2
     ), subgroups as (
       delete from user_group_subgroup where realm_id = $1 and group_id = $2
     )
     delete from user_group where realm_id = $1 and id = $2 and name is null`,
    [realmId, groupId],
  );
}
