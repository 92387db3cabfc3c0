import type { Sql } from '@parley/shared/db';

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
