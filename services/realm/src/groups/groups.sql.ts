import type { Sql } from '@parley/shared/db';
import { SYSTEM_GROUPS } from './system-groups';

/** Makes the rows of the system groups of a new organization. */
export async function insertSystemGroups(sql: Sql, realmId: number, createdAtMs: number): Promise<void> {
  const names = SYSTEM_GROUPS.map(({ name }) => name);
  const descriptions = SYSTEM_GROUPS.map(({ description }) => description);
  await sql.query(
    `insert into user_group (realm_id, name, name_key, description, is_system, created_at)
     select $1, name, name, description, true, to_timestamp($2 / 1000.0)
     from unnest($3::text[], $4::text[]) as system_group (name, description)`,
    [realmId, createdAtMs, names, descriptions],
  );
}

export interface GroupRow {
  id: number;
  name: string;
  description: string;
  isSystem: boolean;
  /** Active direct members, and groups directly inside; empty for system groups, where neither is stored. */
  memberIds: number[];
  subgroupIds: number[];
}

/** Every group of the organization, by id. */
export function listGroups(sql: Sql, realmId: number): Promise<GroupRow[]> {
  return sql.query(
    `select g.id, g.name, g.description, g.is_system as "isSystem",
       coalesce((select json_agg(m.user_id order by m.user_id) from user_group_member m
         join user_account u on u.realm_id = m.realm_id and u.id = m.user_id
         where m.realm_id = g.realm_id and m.group_id = g.id and u.is_active), '[]') as "memberIds",
       coalesce((select json_agg(s.subgroup_id order by s.subgroup_id) from user_group_subgroup s
         where s.realm_id = g.realm_id and s.group_id = g.id), '[]') as "subgroupIds"
     from user_group g where g.realm_id = $1 order by g.id`,
    [realmId],
  );
}
