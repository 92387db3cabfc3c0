import type { Sql } from '@parley/shared/db';
import type { GroupLink } from './group-graph';
import { memberIdsOf } from './group-reach.sql';
import { SYSTEM_GROUP_VALUES } from './system-group-values.sql';

/** Active members of the group, those of groups inside it included, by id. */
export async function listAllMemberIds(sql: Sql, realmId: number, groupId: number, nowMs: number): Promise<number[]> {
  const [row] = await sql.query<{ memberIds: number[] | null }>(
    `select ${memberIdsOf('$1::bigint', '$2::bigint', '$3::bigint')} as "memberIds"`,
    [realmId, groupId, nowMs],
  );
  return row?.memberIds ?? [];
}

/** Which group is directly inside which: of all named groups. */
export function listGroupLinks(sql: Sql, realmId: number): Promise<GroupLink[]> {
  return sql.query(
    `select g.id as "groupId", s.subgroup_id as "subgroupId"
     from user_group g join user_group_subgroup s on s.realm_id = g.realm_id and s.group_id = g.id
     where g.realm_id = $1 and g.name is not null
     union all
     select g.id, inside.id from ${SYSTEM_GROUP_VALUES}
     join user_group g on g.realm_id = $1 and g.name = system_group.name
     join user_group inside on inside.realm_id = $1 and inside.name = system_group.subgroup`,
    [realmId],
  );
}

export async function insertMembers(
  sql: Sql,
  realmId: number,
  groupId: number,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length === 0) return;
  await sql.query('insert into user_group_member (realm_id, group_id, user_id) select $1, $2, unnest($3::bigint[])', [
    realmId,
    groupId,
    userIds,
  ]);
}

export async function deleteMembers(
  sql: Sql,
  realmId: number,
  groupId: number,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length === 0) return;
  await sql.query('delete from user_group_member where realm_id = $1 and group_id = $2 and user_id = any($3)', [
    realmId,
    groupId,
    userIds,
  ]);
}

export async function insertSubgroups(
  sql: Sql,
  realmId: number,
  groupId: number,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql.query(
    'insert into user_group_subgroup (realm_id, group_id, subgroup_id) select $1, $2, unnest($3::bigint[])',
    [realmId, groupId, ids],
  );
}

export async function deleteSubgroups(
  sql: Sql,
  realmId: number,
  groupId: number,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql.query('delete from user_group_subgroup where realm_id = $1 and group_id = $2 and subgroup_id = any($3)', [
    realmId,
    groupId,
    ids,
  ]);
}

/** Named groups that the users were put into, and which of them; whether each is in use. */
export function listGroupsOfUsers(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
): Promise<{ groupId: number; isDeactivated: boolean; userIds: number[] }[]> {
  return sql.query(
    `select g.id as "groupId", g.is_deactivated as "isDeactivated", array_agg(m.user_id order by m.user_id) as "userIds"
     from user_group_member m join user_group g on g.realm_id = m.realm_id and g.id = m.group_id
     where m.realm_id = $1 and m.user_id = any($2) and g.name is not null
     group by g.realm_id, g.id order by g.id`,
    [realmId, userIds],
  );
}

/** A use of a group that keeps it from being deactivated. */
export type GroupUse =
  | { type: 'subgroup'; groupIds: number[] }
  | { type: 'channel' | 'user_group'; id: number; settings: string[] }
  | { type: 'realm'; settings: string[] };

/**
 * Where the group is in use: inside other groups, and as the value of settings, alone or inside an anonymous group. Groups
 * and channels out of use do not count.
 */
export async function listGroupUses(sql: Sql, realmId: number, groupId: number): Promise<GroupUse[]> {
  const rows = await sql.query<{ use: GroupUse }>(
    `with value (id) as (
       select $2::bigint
       union all
       select s.group_id from user_group_subgroup s join user_group g on g.realm_id = s.realm_id and g.id = s.group_id
       where s.realm_id = $1 and s.subgroup_id = $2 and g.name is null
     ), channel_setting as (
       select s.channel_id, s.name from channel_group_setting s where s.realm_id = $1 and s.group_id in (select id from value)
       union all
       select c.id, 'can_send_message_group' from channel c
       where c.realm_id = $1 and c.can_send_message_group_id in (select id from value)
     )
     select json_build_object('type', 'subgroup', 'groupIds', json_agg(g.id order by g.id)) as use
     from user_group_subgroup s join user_group g on g.realm_id = s.realm_id and g.id = s.group_id
     where s.realm_id = $1 and s.subgroup_id = $2 and g.name is not null and not g.is_deactivated having count(*) > 0
     union all
     (select json_build_object('type', 'channel', 'id', c.id, 'settings', json_agg(s.name order by s.name))
      from channel_setting s join channel c on c.realm_id = $1 and c.id = s.channel_id
      where not c.is_archived group by c.id order by c.id)
     union all
     (select json_build_object('type', 'user_group', 'id', g.id, 'settings', json_agg(s.name order by s.name))
      from user_group_setting s join user_group g on g.realm_id = s.realm_id and g.id = s.user_group_id
      where s.realm_id = $1 and s.group_id in (select id from value) and not g.is_deactivated group by g.id order by g.id)
     union all
     select json_build_object('type', 'realm', 'settings', json_agg(s.name order by s.name))
     from realm_group_setting s where s.realm_id = $1 and s.group_id in (select id from value) having count(*) > 0`,
    [realmId, groupId],
  );
  return rows.map(({ use }) => use);
}
