import { type RowOf, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

/** An outside source, such as `oidc:5`, in an organization. */
export interface Source {
  realmId: number;
  source: string;
}

const SELECT_STANDING = statement(
  `select u.id as "userId", u.is_active as "isActive", m.user_id is not null as "isMember",
     coalesce(bool_or(o.source = $3), false) as "isOwn", coalesce(bool_or(o.source <> $3), false) as "isOthers"
   from user_account u
   left join user_group_member m on m.realm_id = u.realm_id and m.group_id = $2 and m.user_id = u.id
   left join outside_membership o on o.realm_id = m.realm_id and o.group_id = m.group_id and o.user_id = m.user_id
   where u.realm_id = $1 and u.id = any($4)
   group by u.realm_id, u.id, m.user_id order by u.id`,
  {
    userId: z.number(),
    isActive: z.boolean(),
    isMember: z.boolean(),
    // Whether this source, and whether another one, has put the member in.
    isOwn: z.boolean(),
    isOthers: z.boolean(),
  },
);

export type Standing = RowOf<typeof SELECT_STANDING>;

/** How accounts stand in a group: by hand, by this source, by others. */
export function listStandings(
  sql: Sql,
  { realmId, source }: Source,
  groupId: number,
  userIds: readonly number[],
): Promise<Standing[]> {
  return sql.query(SELECT_STANDING, [realmId, groupId, source, userIds]);
}

const INSERT = statement(
  `insert into outside_membership (realm_id, group_id, user_id, source) select $1, $2, unnest($4::bigint[]), $3
   on conflict do nothing`,
);

export async function insertMarks(
  sql: Sql,
  { realmId, source }: Source,
  groupId: number,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length > 0) await sql.query(INSERT, [realmId, groupId, source, userIds]);
}

const DELETE = statement(
  'delete from outside_membership where realm_id = $1 and group_id = $2 and source = $3 and user_id = any($4)',
);

export async function deleteMarks(
  sql: Sql,
  { realmId, source }: Source,
  groupId: number,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length > 0) await sql.query(DELETE, [realmId, groupId, source, userIds]);
}

const LIST_GROUPS = statement(
  `select group_id as "groupId" from outside_membership where realm_id = $1 and user_id = $2 and source = $3
   order by group_id`,
  { groupId: z.number() },
);

/** The groups into which the source has put the user. */
export async function listGroupsBySource(sql: Sql, { realmId, source }: Source, userId: number): Promise<number[]> {
  const rows = await sql.query(LIST_GROUPS, [realmId, userId, source]);
  return rows.map(({ groupId }) => groupId);
}

const LIST_OPEN_GROUPS = statement(
  `select id from user_group where realm_id = $1 and id = any($2) and name is not null and not is_system and not is_deactivated
   order by id`,
  { id: z.number() },
);

/** The groups that can have members from outside: neither system groups nor deactivated ones. */
export async function listFillableGroups(sql: Sql, realmId: number, groupIds: readonly number[]): Promise<number[]> {
  const rows = await sql.query(LIST_OPEN_GROUPS, [realmId, groupIds]);
  return rows.map(({ id }) => id);
}

const LIST_MEMBERS = statement(
  `select m.group_id as "groupId", m.user_id as "userId", coalesce(bool_or(o.source = $2), false) as "isOwn",
     coalesce(bool_or(o.source <> $2), false) as "isOthers"
   from user_group_member m
   left join outside_membership o on o.realm_id = m.realm_id and o.group_id = m.group_id and o.user_id = m.user_id
   where m.realm_id = $1 and (m.group_id = any($3)
     or m.group_id in (select s.group_id from outside_membership s where s.realm_id = $1 and s.source = $2))
   group by m.group_id, m.user_id`,
  {
    groupId: z.number(),
    userId: z.number(),
    // Whether this source, and whether another one, has put the member in.
    isOwn: z.boolean(),
    isOthers: z.boolean(),
  },
);

export type OutsideMember = RowOf<typeof LIST_MEMBERS>;

/** The members of groups, and of all groups into which the source has put somebody. */
export function listMembers(
  sql: Sql,
  { realmId, source }: Source,
  groupIds: readonly number[],
): Promise<OutsideMember[]> {
  return sql.query(LIST_MEMBERS, [realmId, source, groupIds]);
}
