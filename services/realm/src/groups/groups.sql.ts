import { composed, onlyRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import { GROUP_SETTING, GROUP_SETTING_JSON } from '../group-settings/group-settings.sql';
import { standingOf } from '../membership/standing.sql';
import { SYSTEM_GROUP_VALUES } from '../membership/system-group-values.sql';
import { SYSTEM_GROUPS } from '../membership/system-groups';

const INSERT_SYSTEM_GROUPS = statement(
  `insert into user_group (realm_id, name, name_key, description, is_system, created_at)
   select $1, name, name, description, true, to_timestamp($2 / 1000.0)
   from unnest($3::text[], $4::text[]) as system_group (name, description)`,
);

/** Creates the rows of a new organization's system groups. */
export async function insertSystemGroups(sql: Sql, realmId: number, createdAtMs: number): Promise<void> {
  const names = SYSTEM_GROUPS.map(({ name }) => name);
  const descriptions = SYSTEM_GROUPS.map(({ description }) => description);
  await sql.query(INSERT_SYSTEM_GROUPS, [realmId, createdAtMs, names, descriptions]);
}

// NOTE: inactive users are looked up once for all groups, in an index of them; a join would read all accounts for each of them.
const STORED_MEMBERS = `(select json_agg(m.user_id order by m.user_id) from user_group_member m
  where m.realm_id = g.realm_id and m.group_id = g.id
    and m.user_id not in (select u.id from user_account u where u.realm_id = $1 and not u.is_active))`;

const STORED_SUBGROUPS = `(select json_agg(s.subgroup_id order by s.subgroup_id) from user_group_subgroup s
  where s.realm_id = g.realm_id and s.group_id = g.id)`;

const DIRECT_MEMBERS_OF_SYSTEM_GROUP = `(select json_agg(u.id order by u.id) from ${SYSTEM_GROUP_VALUES}
  join user_account u on u.realm_id = g.realm_id and u.role = system_group.direct_role
  where system_group.name = g.name and u.is_active and u.system_bot is null
    and ${standingOf('u', '$1', '$2::bigint')} <= system_group.widest_standing)`;

const DIRECT_SUBGROUP_OF_SYSTEM_GROUP = `(select json_agg(inside.id) from ${SYSTEM_GROUP_VALUES}
  join user_group inside on inside.realm_id = g.realm_id and inside.name = system_group.subgroup
  where system_group.name = g.name)`;

// NOTE: planned for each call, for the lookup of inactive users.
const selecting = (condition: string) =>
  composed(
    `select g.id, g.name, g.description, g.is_system as "isSystem", g.is_deactivated as "isDeactivated",
       g.creator_id as "creatorId", (extract(epoch from g.created_at) * 1000)::bigint as "createdAtMs",
       coalesce((select u.is_active from user_account u where u.realm_id = g.realm_id and u.id = g.creator_id), false)
         as "isCreatorActive",
       coalesce(case when g.is_system then ${DIRECT_MEMBERS_OF_SYSTEM_GROUP} else ${STORED_MEMBERS} end, '[]') as "memberIds",
       coalesce(case when g.is_system then ${DIRECT_SUBGROUP_OF_SYSTEM_GROUP} else ${STORED_SUBGROUPS} end, '[]')
         as "directSubgroupIds",
       (select json_object_agg(s.name, ${GROUP_SETTING_JSON}) from user_group_setting s
        join user_group value on value.realm_id = s.realm_id and value.id = s.group_id
        where s.realm_id = g.realm_id and s.user_group_id = g.id) as settings
     from user_group g where g.realm_id = $1 and g.name is not null ${condition} order by g.id`,
    {
      id: z.number(),
      name: z.string(),
      description: z.string(),
      isSystem: z.boolean(),
      isDeactivated: z.boolean(),
      creatorId: z.number().nullable(),
      isCreatorActive: z.boolean(),
      createdAtMs: z.number(),
      // Active direct members, and groups directly inside, by id.
      memberIds: z.array(z.number()),
      directSubgroupIds: z.array(z.number()),
      // Explicit settings; others have their default. Null: none.
      settings: z.record(z.string(), GROUP_SETTING).nullable(),
    },
  );
const SELECT_ALL = selecting('');
const SELECT_BY_IDS = selecting('and g.id = any($3::bigint[])');

export type GroupRow = RowOf<typeof SELECT_ALL>;

/** Named groups by id: all of the organization, or those of the ids. */
export function selectGroups(
  sql: Sql,
  realmId: number,
  nowMs: number,
  groupIds: readonly number[] | null = null,
): Promise<GroupRow[]> {
  return groupIds ? sql.query(SELECT_BY_IDS, [realmId, nowMs, groupIds]) : sql.query(SELECT_ALL, [realmId, nowMs]);
}

const FIND_NAMED = statement('select id from user_group where realm_id = $1 and id = $2 and name is not null', {
  id: z.number(),
});

export async function hasNamedGroup(sql: Sql, realmId: number, groupId: number): Promise<boolean> {
  return (await sql.query(FIND_NAMED, [realmId, groupId])).length > 0;
}

interface NewGroup {
  name: string;
  nameKey: string;
  description: string;
  /** Null: made by no member. */
  creatorId: number | null;
  createdAtMs: number;
}

const INSERT = statement(
  `insert into user_group (realm_id, name, name_key, description, creator_id, created_at)
   values ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0)) returning id`,
  { id: z.number() },
);

/** Creates a group without members and returns its id. */
export async function insertGroup(sql: Sql, realmId: number, group: NewGroup): Promise<number> {
  return onlyRow(
    await sql.query(INSERT, [
      realmId,
      group.name,
      group.nameKey,
      group.description,
      group.creatorId,
      group.createdAtMs,
    ]),
  ).id;
}

const LOCK = statement('select from user_group where realm_id = $1 and id = $2 for no key update', {});

/** Locks the group's row against transactions that begin to use the group, and waits for running ones. */
export async function lockGroup(sql: Sql, realmId: number, groupId: number): Promise<void> {
  await sql.query(LOCK, [realmId, groupId]);
}

const UPDATE = statement(
  `update user_group set name = coalesce($3, name), name_key = coalesce($4, name_key),
     description = coalesce($5, description), is_deactivated = coalesce($6, is_deactivated)
   where realm_id = $1 and id = $2`,
);

/** Stores the given values of a group; others are unchanged. */
export async function updateGroupRow(
  sql: Sql,
  realmId: number,
  groupId: number,
  change: { name?: string; nameKey?: string; description?: string; isDeactivated?: boolean },
): Promise<void> {
  await sql.query(UPDATE, [realmId, groupId, change.name, change.nameKey, change.description, change.isDeactivated]);
}

const FIND_BY_NAME = statement('select from user_group where realm_id = $1 and name = $2', {});

/** Whether the organization has a group of exactly that name, active or not. */
export async function isGroupNameTaken(sql: Sql, realmId: number, name: string): Promise<boolean> {
  const rows = await sql.query(FIND_BY_NAME, [realmId, name]);
  return rows.length > 0;
}
