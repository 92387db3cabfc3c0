import { type RowOf, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

const LIST = statement(
  `select u.id as "userId", u.role, s.given_role as "givenRole", (
     select min(r.role) from user_group_member m
     join user_group g on g.realm_id = m.realm_id and g.id = m.group_id and not g.is_deactivated
     join scim_role r on r.realm_id = g.realm_id and r.group_name = g.name
     where m.realm_id = u.realm_id and m.user_id = u.id) as mapped
   from user_account u left join scim_user s on s.realm_id = u.realm_id and s.user_id = u.id
   where u.realm_id = $1 and u.id = any($2) and not u.is_bot order by u.id`,
  { userId: z.number(), role: z.number(), givenRole: z.number().nullable(), mapped: z.number().nullable() },
);

export type RoleFacts = RowOf<typeof LIST>;

/** The roles of people, and the most powerful one among those that their groups give. */
export function listRoleFacts(sql: Sql, realmId: number, userIds: readonly number[]): Promise<RoleFacts[]> {
  return sql.query(LIST, [realmId, userIds]);
}

const STORE_GIVEN = statement(
  `insert into scim_user (realm_id, user_id, user_name, user_name_key, given_role)
   select u.realm_id, u.id, u.delivery_email, lower(u.delivery_email), $3 from user_account u where u.realm_id = $1 and u.id = $2
   on conflict (realm_id, user_id) do update set given_role = excluded.given_role`,
);

/** Notes the role that groups gave to an account; null: none. */
export async function storeGivenRole(sql: Sql, realmId: number, userId: number, role: number | null): Promise<void> {
  await sql.query(STORE_GIVEN, [realmId, userId, role]);
}

const LIST_CONCERNED = statement(
  `select m.user_id as id from user_group g join user_group_member m on m.realm_id = g.realm_id and m.group_id = g.id
   where g.realm_id = $1 and g.name = $2
   union
   select s.user_id from scim_user s where s.realm_id = $1 and s.given_role is not null`,
  { id: z.number() },
);

/** Whose role may depend on the group: its members, and all who have a role by their groups. */
export async function listConcerned(sql: Sql, realmId: number, groupName: string): Promise<number[]> {
  const rows = await sql.query(LIST_CONCERNED, [realmId, groupName]);
  return rows.map(({ id }) => id);
}
