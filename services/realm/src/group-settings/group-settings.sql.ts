import { SYSTEM_GROUP_NAMES } from '@parley/shared/access';
import type { Sql } from '@parley/shared/db';
import type { GroupSetting } from '@parley/shared/proto';
import type { SystemGroupIds } from './complete-settings';
import { GROUP_SETTING_JSON } from './group-setting-json.sql';

export async function findSystemGroupIds(sql: Sql, realmId: number): Promise<SystemGroupIds> {
  const rows = await sql.query<{ name: string; id: number }>(
    'select name, id from user_group where realm_id = $1 and name = any($2)',
    [realmId, SYSTEM_GROUP_NAMES],
  );
  return Object.fromEntries(rows.map(({ name, id }) => [name, id])) as SystemGroupIds;
}

type StoredSettings = Record<string, GroupSetting>;

/** What the organization has set; the rest has its default. */
export async function findRealmSettings(sql: Sql, realmId: number): Promise<StoredSettings> {
  const rows = await sql.query<{ name: string; value: GroupSetting }>(
    `select s.name, ${GROUP_SETTING_JSON} as value
     from realm_group_setting s join user_group value on value.realm_id = s.realm_id and value.id = s.group_id
     where s.realm_id = $1`,
    [realmId],
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

export interface UsableGroup {
  id: number;
  name: string;
  isSystem: boolean;
  isDeactivated: boolean;
}

/** The named groups among the ids, held so that they stay in use until the transaction ends. */
export function holdGroups(sql: Sql, realmId: number, groupIds: readonly number[]): Promise<UsableGroup[]> {
  return sql.query(
    `select id, name, is_system as "isSystem", is_deactivated as "isDeactivated" from user_group
     where realm_id = $1 and id = any($2) and name is not null order by id for share`,
    [realmId, groupIds],
  );
}

/** The names of the named groups among the ids. */
export function listGroupNames(
  sql: Sql,
  realmId: number,
  groupIds: readonly number[],
): Promise<{ id: number; name: string }[]> {
  return sql.query(
    'select id, name from user_group where realm_id = $1 and id = any($2) and name is not null order by id',
    [realmId, groupIds],
  );
}
