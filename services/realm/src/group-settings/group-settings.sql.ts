import { SYSTEM_GROUP_NAMES } from '@parley/shared/access';
import type { Sql } from '@parley/shared/db';
import type { GroupSetting } from '@parley/shared/proto';
import type { SystemGroupIds } from './complete-settings';
import { SEND_SETTING, type SettingPlace } from './group-setting';

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

/**
 * SQL for a GroupSetting as JSON, not normalized, from the row of `user_group` called `value` that a setting points to. Of an
 * anonymous group it tells the active members.
 */
export const GROUP_SETTING_JSON = `case
  when value.name is not null
  then json_build_object('groupId', value.id, 'directMemberIds', json_build_array(), 'directSubgroupIds', json_build_array())
  else json_build_object(
    'directMemberIds', coalesce((select json_agg(m.user_id) from user_group_member m
      join user_account u on u.realm_id = m.realm_id and u.id = m.user_id
      where m.realm_id = value.realm_id and m.group_id = value.id and u.is_active), '[]'),
    'directSubgroupIds', coalesce((select json_agg(s.subgroup_id) from user_group_subgroup s
      where s.realm_id = value.realm_id and s.group_id = value.id), '[]'))
end`;

/** The anonymous group that the setting's value is; null while it is a named one, or the default. */
export async function findAnonymousValue(sql: Sql, realmId: number, place: SettingPlace): Promise<number | null> {
  const { text, values } = pointerOf(place);
  const [row] = await sql.query<{ id: number }>(
    `select g.id from user_group g where g.realm_id = $1 and g.name is null and g.id = (${text})`,
    [realmId, ...values],
  );
  return row?.id ?? null;
}

function pointerOf(place: SettingPlace): { text: string; values: unknown[] } {
  if (place.of === 'realm') {
    return { text: 'select group_id from realm_group_setting where realm_id = $1 and name = $2', values: [place.name] };
  }
  if (place.of === 'group') {
    return {
      text: 'select group_id from user_group_setting where realm_id = $1 and user_group_id = $2 and name = $3',
      values: [place.groupId, place.name],
    };
  }
  if (place.name === SEND_SETTING) {
    return {
      text: 'select can_send_message_group_id from channel where realm_id = $1 and id = $2',
      values: [place.channelId],
    };
  }
  return {
    text: 'select group_id from channel_group_setting where realm_id = $1 and channel_id = $2 and name = $3',
    values: [place.channelId, place.name],
  };
}

/** Makes the group the setting's value, be it a named or an anonymous one. */
export async function pointToGroup(sql: Sql, realmId: number, place: SettingPlace, groupId: number): Promise<void> {
  if (place.of === 'realm') {
    await sql.query(
      `insert into realm_group_setting (realm_id, name, group_id) values ($1, $2, $3)
       on conflict (realm_id, name) do update set group_id = excluded.group_id`,
      [realmId, place.name, groupId],
    );
  } else if (place.of === 'group') {
    await sql.query(
      `insert into user_group_setting (realm_id, user_group_id, name, group_id) values ($1, $2, $3, $4)
       on conflict (realm_id, user_group_id, name) do update set group_id = excluded.group_id`,
      [realmId, place.groupId, place.name, groupId],
    );
  } else if (place.name === SEND_SETTING) {
    await sql.query('update channel set can_send_message_group_id = $3 where realm_id = $1 and id = $2', [
      realmId,
      place.channelId,
      groupId,
    ]);
  } else {
    await sql.query(
      `insert into channel_group_setting (realm_id, channel_id, name, group_id) values ($1, $2, $3, $4)
       on conflict (realm_id, channel_id, name) do update set group_id = excluded.group_id`,
      [realmId, place.channelId, place.name, groupId],
    );
  }
}

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

/** Lets a setting of new channels, which have none of that name yet, be a named group. */
export async function giveNamedGroup(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  name: string,
  groupId: number,
): Promise<void> {
  await pointChannels(
    sql,
    realmId,
    name,
    channelIds,
    channelIds.map(() => groupId),
  );
}

/** Lets a setting of new channels be an anonymous group: each gets one of its own. */
export async function giveAnonymousGroups(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  name: string,
  { directMemberIds, directSubgroupIds }: GroupSetting,
  createdAtMs: number,
): Promise<void> {
  const groups = await sql.query<{ id: number }>(
    `insert into user_group (realm_id, created_at)
     select $1, to_timestamp($2 / 1000.0) from generate_series(1, $3::integer) returning id`,
    [realmId, createdAtMs, channelIds.length],
  );
  const groupIds = groups.map(({ id }) => id);
  await sql.query(
    `with members as (
       insert into user_group_member (realm_id, group_id, user_id)
       select $1, g.id, m.id from unnest($2::bigint[]) as g (id), unnest($3::bigint[]) as m (id)
     )
     insert into user_group_subgroup (realm_id, group_id, subgroup_id)
     select $1, g.id, s.id from unnest($2::bigint[]) as g (id), unnest($4::bigint[]) as s (id)`,
    [realmId, groupIds, directMemberIds, directSubgroupIds],
  );
  await pointChannels(sql, realmId, name, channelIds, groupIds);
}

async function pointChannels(
  sql: Sql,
  realmId: number,
  name: string,
  channelIds: readonly number[],
  groupIds: readonly number[],
): Promise<void> {
  if (name === SEND_SETTING) {
    await sql.query(
      `update channel c set can_send_message_group_id = given.group_id
       from unnest($2::bigint[], $3::bigint[]) as given (channel_id, group_id)
       where c.realm_id = $1 and c.id = given.channel_id`,
      [realmId, channelIds, groupIds],
    );
    return;
  }
  await sql.query(
    `insert into channel_group_setting (realm_id, channel_id, name, group_id)
     select $1, given.channel_id, $2, given.group_id
     from unnest($3::bigint[], $4::bigint[]) as given (channel_id, group_id)`,
    [realmId, name, channelIds, groupIds],
  );
}
