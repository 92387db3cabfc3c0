import { composed, onlyRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import type { GroupLink } from './group-graph';
import { memberIdsOf } from './group-reach.sql';
import { SYSTEM_GROUP_VALUES } from './system-group-values.sql';

const LIST_ALL_MEMBER_IDS = statement(
  `select ${memberIdsOf('$1::bigint', '$2::bigint', '$3::bigint')} as "memberIds"`,
  { memberIds: z.array(z.number()).nullable() },
);

/** Active members of the group, including those of subgroups, by id. */
export async function listAllMemberIds(sql: Sql, realmId: number, groupId: number, nowMs: number): Promise<number[]> {
  return onlyRow(await sql.query(LIST_ALL_MEMBER_IDS, [realmId, groupId, nowMs])).memberIds ?? [];
}

const LIST_LINKS = statement(
  `select g.id as "groupId", s.subgroup_id as "subgroupId"
   from user_group g join user_group_subgroup s on s.realm_id = g.realm_id and s.group_id = g.id
   where g.realm_id = $1 and g.name is not null
   union all
   select g.id, inside.id from ${SYSTEM_GROUP_VALUES}
   join user_group g on g.realm_id = $1 and g.name = system_group.name
   join user_group inside on inside.realm_id = $1 and inside.name = system_group.subgroup`,
  { groupId: z.number(), subgroupId: z.number() },
);

/** Direct subgroups of all named groups. */
export function listGroupLinks(sql: Sql, realmId: number): Promise<GroupLink[]> {
  return sql.query(LIST_LINKS, [realmId]);
}

/** A change of a group's members or subgroups, by ids; does nothing without ids. */
const changing = (text: string) => {
  const change = statement(text);
  return async (sql: Sql, realmId: number, groupId: number, ids: readonly number[]): Promise<void> => {
    if (ids.length > 0) await sql.query(change, [realmId, groupId, ids]);
  };
};

export const insertMembers = changing(
  'insert into user_group_member (realm_id, group_id, user_id) select $1, $2, unnest($3::bigint[])',
);
export const deleteMembers = changing(
  'delete from user_group_member where realm_id = $1 and group_id = $2 and user_id = any($3)',
);
export const insertSubgroups = changing(
  'insert into user_group_subgroup (realm_id, group_id, subgroup_id) select $1, $2, unnest($3::bigint[])',
);
export const deleteSubgroups = changing(
  'delete from user_group_subgroup where realm_id = $1 and group_id = $2 and subgroup_id = any($3)',
);

const LIST_GROUPS_OF_USERS = composed(
  `select g.id as "groupId", g.is_deactivated as "isDeactivated", array_agg(m.user_id order by m.user_id) as "userIds"
   from user_group_member m join user_group g on g.realm_id = m.realm_id and g.id = m.group_id
   where m.realm_id = $1 and m.user_id = any($2) and g.name is not null
   group by g.realm_id, g.id order by g.id`,
  { groupId: z.number(), isDeactivated: z.boolean(), userIds: z.array(z.number()) },
);

/** Named groups that have the users as direct members, and whether each group is active. */
export function listGroupsOfUsers(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
): Promise<RowOf<typeof LIST_GROUPS_OF_USERS>[]> {
  return sql.query(LIST_GROUPS_OF_USERS, [realmId, userIds]);
}

/** A use that prevents a group's deactivation. */
const GROUP_USE = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('subgroup'), groupIds: z.array(z.number()) }),
  z.strictObject({ type: z.enum(['channel', 'user_group']), id: z.number(), settings: z.array(z.string()) }),
  z.strictObject({ type: z.literal('realm'), settings: z.array(z.string()) }),
]);

export type GroupUse = z.infer<typeof GROUP_USE>;

const LIST_USES = statement(
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
  { use: GROUP_USE },
);

/**
 * The uses of a group: inside other groups, and as values of settings, alone or inside an anonymous group. Deactivated groups and
 * archived channels do not count.
 */
export async function listGroupUses(sql: Sql, realmId: number, groupId: number): Promise<GroupUse[]> {
  const rows = await sql.query(LIST_USES, [realmId, groupId]);
  return rows.map(({ use }) => use);
}
