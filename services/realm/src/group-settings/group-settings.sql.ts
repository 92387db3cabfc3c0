import { SYSTEM_GROUP_NAMES } from '@parley/shared/access';
import { onlyRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import { type GroupSetting, messageShape } from '@parley/shared/proto';
import { z } from 'zod';
import type { SystemGroupIds } from './complete-settings';
import { SEND_SETTING, type SettingPlace } from './group-setting';

const FIND_SYSTEM_GROUPS = statement('select name, id from user_group where realm_id = $1 and name = any($2)', {
  name: z.string(),
  id: z.number(),
});

export async function findSystemGroupIds(sql: Sql, realmId: number): Promise<SystemGroupIds> {
  const rows = await sql.query(FIND_SYSTEM_GROUPS, [realmId, SYSTEM_GROUP_NAMES]);
  return Object.fromEntries(rows.map(({ name, id }) => [name, id])) as SystemGroupIds;
}

/**
 * SQL for a GroupSetting as JSON, not normalized, from the row of `user_group` called `value` that a setting points to. An
 * anonymous group has its active members.
 */
// NOTE: a join would read all accounts for each anonymous group.
export const GROUP_SETTING_JSON = `case
  when value.name is not null
  then json_build_object('groupId', value.id, 'directMemberIds', json_build_array(), 'directSubgroupIds', json_build_array())
  else json_build_object(
    'directMemberIds', coalesce((select json_agg(m.user_id) from user_group_member m, lateral (
        select from user_account u where u.realm_id = m.realm_id and u.id = m.user_id and u.is_active limit 1
      ) active
      where m.realm_id = value.realm_id and m.group_id = value.id), '[]'),
    'directSubgroupIds', coalesce((select json_agg(s.subgroup_id) from user_group_subgroup s
      where s.realm_id = value.realm_id and s.group_id = value.id), '[]'))
end`;

/** The shape of GROUP_SETTING_JSON. */
export const GROUP_SETTING = messageShape<GroupSetting>('realm', 'GroupSetting');

type StoredSettings = Record<string, GroupSetting>;

/** SQL for the explicit settings of an organization as an object in JSON, by name. The argument is SQL. */
export function realmGroupSettingsOf(realmId: string): string {
  return `(select coalesce(json_object_agg(s.name, ${GROUP_SETTING_JSON}), '{}')
    from realm_group_setting s join user_group value on value.realm_id = s.realm_id and value.id = s.group_id
    where s.realm_id = ${realmId})`;
}

/** The shape of realmGroupSettingsOf(). */
export const REALM_GROUP_SETTINGS = z.record(z.string(), GROUP_SETTING);

const FIND_REALM_SETTINGS = statement(`select ${realmGroupSettingsOf('$1')} as settings`, {
  settings: REALM_GROUP_SETTINGS,
});

/** The organization's explicit settings; others have their defaults. */
export async function findRealmSettings(sql: Sql, realmId: number): Promise<StoredSettings> {
  return onlyRow(await sql.query(FIND_REALM_SETTINGS, [realmId])).settings;
}

const HOLD_GROUPS = statement(
  `select id, name, is_system as "isSystem", is_deactivated as "isDeactivated" from user_group
   where realm_id = $1 and id = any($2) and name is not null order by id for share`,
  { id: z.number(), name: z.string(), isSystem: z.boolean(), isDeactivated: z.boolean() },
);

export type UsableGroup = RowOf<typeof HOLD_GROUPS>;

/** The named groups among the ids, locked against deactivation until the transaction ends. */
export function holdGroups(sql: Sql, realmId: number, groupIds: readonly number[]): Promise<UsableGroup[]> {
  return sql.query(HOLD_GROUPS, [realmId, groupIds]);
}

const LIST_NAMES = statement(
  'select id, name from user_group where realm_id = $1 and id = any($2) and name is not null order by id',
  { id: z.number(), name: z.string() },
);

/** The names of the named groups among the ids. */
export function listGroupNames(
  sql: Sql,
  realmId: number,
  groupIds: readonly number[],
): Promise<RowOf<typeof LIST_NAMES>[]> {
  return sql.query(LIST_NAMES, [realmId, groupIds]);
}

const findAnonymous = (pointer: string) =>
  statement(`select g.id from user_group g where g.realm_id = $1 and g.name is null and g.id = (${pointer})`, {
    id: z.number(),
  });

const REALM_POINTER = {
  find: findAnonymous('select group_id from realm_group_setting where realm_id = $1 and name = $2'),
  store: statement(
    `insert into realm_group_setting (realm_id, name, group_id) values ($1, $2, $3)
     on conflict (realm_id, name) do update set group_id = excluded.group_id`,
  ),
};
const GROUP_POINTER = {
  find: findAnonymous(
    'select group_id from user_group_setting where realm_id = $1 and user_group_id = $2 and name = $3',
  ),
  store: statement(
    `insert into user_group_setting (realm_id, user_group_id, name, group_id) values ($1, $2, $3, $4)
     on conflict (realm_id, user_group_id, name) do update set group_id = excluded.group_id`,
  ),
};
const CHANNEL_POINTER = {
  find: findAnonymous(
    'select group_id from channel_group_setting where realm_id = $1 and channel_id = $2 and name = $3',
  ),
  store: statement(
    `insert into channel_group_setting (realm_id, channel_id, name, group_id) values ($1, $2, $3, $4)
     on conflict (realm_id, channel_id, name) do update set group_id = excluded.group_id`,
  ),
};
const SENDERS_POINTER = {
  find: findAnonymous('select can_send_message_group_id from channel where realm_id = $1 and id = $2'),
  store: statement('update channel set can_send_message_group_id = $3 where realm_id = $1 and id = $2'),
};

/** The statements for a setting's value, and the key of its row. */
function pointerOf(realmId: number, place: SettingPlace): { pointer: typeof REALM_POINTER; key: unknown[] } {
  if (place.of === 'realm') return { pointer: REALM_POINTER, key: [realmId, place.name] };
  if (place.of === 'group') return { pointer: GROUP_POINTER, key: [realmId, place.groupId, place.name] };
  if (place.name === SEND_SETTING) return { pointer: SENDERS_POINTER, key: [realmId, place.channelId] };
  return { pointer: CHANNEL_POINTER, key: [realmId, place.channelId, place.name] };
}

/** The id of the anonymous group that is the setting's value; null for a named group, or the default. */
export async function findAnonymousValue(sql: Sql, realmId: number, place: SettingPlace): Promise<number | null> {
  const { pointer, key } = pointerOf(realmId, place);
  const [row] = await sql.query(pointer.find, key);
  return row?.id ?? null;
}

/** Sets the group, named or anonymous, as the setting's value. */
export async function pointToGroup(sql: Sql, realmId: number, place: SettingPlace, groupId: number): Promise<void> {
  const { pointer, key } = pointerOf(realmId, place);
  await sql.query(pointer.store, [...key, groupId]);
}

const INSERT_ANONYMOUS = statement(
  'insert into user_group (realm_id, created_at) values ($1, to_timestamp($2 / 1000.0)) returning id',
  { id: z.number() },
);

/** Creates an anonymous group without members; it must become the value of a setting in the same transaction. */
export async function insertAnonymousGroup(sql: Sql, realmId: number, createdAtMs: number): Promise<number> {
  return onlyRow(await sql.query(INSERT_ANONYMOUS, [realmId, createdAtMs])).id;
}

const REPLACE_CONTENTS = statement(
  `with left_members as (
     delete from user_group_member where realm_id = $1 and group_id = $2 and user_id <> all($3::bigint[])
   ), left_subgroups as (
     delete from user_group_subgroup where realm_id = $1 and group_id = $2 and subgroup_id <> all($4::bigint[])
   ), new_members as (
     insert into user_group_member (realm_id, group_id, user_id) select $1, $2, unnest($3::bigint[]) on conflict do nothing
   )
   insert into user_group_subgroup (realm_id, group_id, subgroup_id) select $1, $2, unnest($4::bigint[])
   on conflict do nothing`,
);

/** Replaces the members and subgroups of the group. */
export async function replaceContents(
  sql: Sql,
  realmId: number,
  groupId: number,
  { directMemberIds, directSubgroupIds }: { directMemberIds: readonly number[]; directSubgroupIds: readonly number[] },
): Promise<void> {
  await sql.query(REPLACE_CONTENTS, [realmId, groupId, directMemberIds, directSubgroupIds]);
}

const DELETE_ANONYMOUS = statement(
  `with members as (
     delete from user_group_member where realm_id = $1 and group_id = $2
   ), subgroups as (
     delete from user_group_subgroup where realm_id = $1 and group_id = $2
   )
   delete from user_group where realm_id = $1 and id = $2 and name is null`,
);

/** Deletes an anonymous group to which no setting points. */
export async function deleteAnonymousGroup(sql: Sql, realmId: number, groupId: number): Promise<void> {
  await sql.query(DELETE_ANONYMOUS, [realmId, groupId]);
}

/** Gives new channels a setting with a named group. */
export async function giveNamedGroup(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  name: string,
  groupId: number,
): Promise<void> {
  const groupIds = channelIds.map(() => groupId);
  await pointChannels(sql, realmId, name, channelIds, groupIds);
}

const INSERT_ANONYMOUS_GROUPS = statement(
  `insert into user_group (realm_id, created_at)
   select $1, to_timestamp($2 / 1000.0) from generate_series(1, $3::integer) returning id`,
  { id: z.number() },
);

const FILL_GROUPS = statement(
  `with members as (
     insert into user_group_member (realm_id, group_id, user_id)
     select $1, g.id, m.id from unnest($2::bigint[]) as g (id), unnest($3::bigint[]) as m (id)
   )
   insert into user_group_subgroup (realm_id, group_id, subgroup_id)
   select $1, g.id, s.id from unnest($2::bigint[]) as g (id), unnest($4::bigint[]) as s (id)`,
);

/** Gives new channels a setting with an anonymous group: each gets its own. */
export async function giveAnonymousGroups(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  name: string,
  { directMemberIds, directSubgroupIds }: GroupSetting,
  createdAtMs: number,
): Promise<void> {
  const groups = await sql.query(INSERT_ANONYMOUS_GROUPS, [realmId, createdAtMs, channelIds.length]);
  const groupIds = groups.map(({ id }) => id);
  await sql.query(FILL_GROUPS, [realmId, groupIds, directMemberIds, directSubgroupIds]);
  await pointChannels(sql, realmId, name, channelIds, groupIds);
}

const POINT_CHANNELS_TO_SENDERS = statement(
  `update channel c set can_send_message_group_id = given.group_id
     from unnest($2::bigint[], $3::bigint[]) as given (channel_id, group_id)
     where c.realm_id = $1 and c.id = given.channel_id`,
);

const POINT_CHANNELS = statement(
  `insert into channel_group_setting (realm_id, channel_id, name, group_id)
   select $1, given.channel_id, $2, given.group_id
   from unnest($3::bigint[], $4::bigint[]) as given (channel_id, group_id)`,
);

async function pointChannels(
  sql: Sql,
  realmId: number,
  name: string,
  channelIds: readonly number[],
  groupIds: readonly number[],
): Promise<void> {
  if (name === SEND_SETTING) {
    await sql.query(POINT_CHANNELS_TO_SENDERS, [realmId, channelIds, groupIds]);
    return;
  }
  await sql.query(POINT_CHANNELS, [realmId, name, channelIds, groupIds]);
}
