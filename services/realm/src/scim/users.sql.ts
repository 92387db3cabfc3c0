import { composed, onlyRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import { type Condition, EVERYTHING } from './filter.sql';

/** SQL: whether the provider has deleted the account `u`, which is inactive since. */
const IS_HIDDEN = '(coalesce(s.is_removed, false) and not u.is_active)';

const JOINED = 'user_account u left join scim_user s on s.realm_id = u.realm_id and s.user_id = u.id';

const VISIBLE = `u.realm_id = $1 and not u.is_bot and not ${IS_HIDDEN}`;

// The same accounts by indexes alone. NOTE: "is not true" makes it a look into a hash table, in the order of the index.
const ALL_VISIBLE = `user_account u where u.realm_id = $1 and not u.is_bot and (u.id in (
    select s.user_id from scim_user s cross join lateral (
      select from user_account a where a.realm_id = s.realm_id and a.id = s.user_id and not a.is_active limit 1
    ) ended where s.realm_id = $1 and s.is_removed)) is not true`;

// NOTE: joins would read all groups for each account.
const GROUPS = `coalesce((select json_agg(json_build_object('value', g.id::text, 'display', g.name) order by g.id)
  from user_group_member m cross join lateral (
    select g.id, g.name from user_group g
    where g.realm_id = m.realm_id and g.id = m.group_id and g.name is not null and not g.is_deactivated limit 1
  ) g left join lateral (
    select o.is_removed from scim_group o where o.realm_id = m.realm_id and o.group_id = m.group_id limit 1
  ) o on true
  where m.realm_id = u.realm_id and m.user_id = u.id and not coalesce(o.is_removed, false)), '[]')`;

const COLUMNS = `u.id, coalesce(s.user_name, u.delivery_email) as "userName", s.external_id as "externalId",
  s.given_name as "givenName", s.family_name as "familyName", u.full_name as "fullName", u.is_active as "isActive",
  u.delivery_email as email, coalesce(s.email_is_primary, true) as "isEmailPrimary", ${GROUPS} as groups, (extract(epoch from u.created_at) * 1000)::bigint as "createdAtMs"`;

const ROW = {
  id: z.number(),
  userName: z.string(),
  externalId: z.string().nullable(),
  givenName: z.string().nullable(),
  familyName: z.string().nullable(),
  fullName: z.string(),
  isActive: z.boolean(),
  email: z.string(),
  isEmailPrimary: z.boolean(),
  groups: z.array(z.strictObject({ value: z.string(), display: z.string() })),
  createdAtMs: z.number(),
};

const FIND = statement(`select ${COLUMNS} from ${JOINED} where ${VISIBLE} and u.id = $2`, ROW);

export type UserRow = RowOf<typeof FIND>;

/** A person's account, as the provider sees it; null: it sees none of that id. */
export async function findScimUser(sql: Sql, realmId: number, userId: number): Promise<UserRow | null> {
  const [row] = await sql.query(FIND, [realmId, userId]);
  return row ?? null;
}

interface Page {
  offset: number;
  count: number;
}

const FIND_SEVERAL = statement(
  `select ${COLUMNS} from ${JOINED} where ${VISIBLE} and u.id = any($2) order by u.id`,
  ROW,
);

/** The same for several accounts, by id. */
export async function findScimUsers(sql: Sql, realmId: number, userIds: readonly number[]): Promise<UserRow[]> {
  return sql.query(FIND_SEVERAL, [realmId, userIds]);
}

const COUNT = { total: z.number() };

/** A page of the accounts that match, by id, and how many match. */
export async function listScimUsers(
  sql: Sql,
  realmId: number,
  condition: Condition,
  { offset, count }: Page,
): Promise<{ total: number; rows: UserRow[] }> {
  const { where, values, isSimple } = condition;
  // Few texts are simple, and prepared; others are planned for each call.
  const declare = isSimple ? statement : composed;
  const matching = condition === EVERYTHING ? ALL_VISIBLE : `${JOINED} where ${VISIBLE} and ${where}`;
  const { total } = onlyRow(
    await sql.query(declare(`select count(*) as total from ${matching}`, COUNT), [realmId, ...values]),
  );
  if (count === 0 || offset >= total) return { total, rows: [] };
  const [limit, start] = [values.length + 2, values.length + 3];
  // The groups of the page only: PostgreSQL finds those of all rows that it passes over, too.
  const text = `select ${COLUMNS} from ${JOINED} where u.realm_id = $1 and u.id = any(array(
    select u.id from ${matching} order by u.id limit $${limit} offset $${start})) order by u.id`;
  return { total, rows: await sql.query(declare(text, ROW), [realmId, ...values, count, offset]) };
}

const FIND_NAMED = statement(
  // NOTE: an array, so that the planner looks for these few accounts: without statistics it would compare all of them with each.
  `select u.id, ${IS_HIDDEN} and not u.is_bot as "isHidden", s.user_name_key is not distinct from $2 as "hasName" from ${JOINED}
   where u.realm_id = $1 and u.id = any(array(
     select n.user_id from scim_user n where n.realm_id = $1 and n.user_name_key = $2
     union all
     select a.id from user_account a where a.realm_id = $1
       and (lower(a.delivery_email) = any($3::text[]) or lower(a.email) = any($3::text[]))))
   order by 3 desc, u.id limit 1`,
  { id: z.number(), isHidden: z.boolean(), hasName: z.boolean() },
);

/** The account that has the name or an address already, in any casing; `isHidden`: the provider deleted it. */
export async function findHolder(
  sql: Sql,
  realmId: number,
  { userName, email }: { userName: string; email: string },
): Promise<{ id: number; isHidden: boolean } | null> {
  const key = userName.toLowerCase();
  const [found] = await sql.query(FIND_NAMED, [realmId, key, [email.toLowerCase(), key]]);
  return found ?? null;
}

interface NamedUser {
  realmId: number;
  userId: number;
  userName: string;
  externalId: string | null;
  givenName: string | null;
  familyName: string | null;
  isEmailPrimary: boolean | null;
}

export const USER_NAME_IS_UNIQUE = 'scim_user_name_is_unique';

const STORE = statement(
  `insert into scim_user as s (realm_id, user_id, user_name, user_name_key, external_id, given_name, family_name, email_is_primary)
   values ($1, $2, $3, $4, $5, $6, $7, coalesce($8, true))
   on conflict (realm_id, user_id) do update set user_name = excluded.user_name, user_name_key = excluded.user_name_key,
     external_id = excluded.external_id, given_name = excluded.given_name, family_name = excluded.family_name,
     email_is_primary = coalesce($8, s.email_is_primary), is_removed = false`,
);

/** Stores what the provider calls an account; null: it says nothing about its address. Violates USER_NAME_IS_UNIQUE. */
export async function storeScimUser(sql: Sql, user: NamedUser): Promise<void> {
  const { realmId, userId, userName, externalId, givenName, familyName, isEmailPrimary } = user;
  const key = userName.toLowerCase();
  await sql.query(STORE, [realmId, userId, userName, key, externalId, givenName, familyName, isEmailPrimary]);
}

const LIST_TAKEN = statement(
  `select n.user_name_key as key from scim_user n where n.realm_id = $1 and n.user_name_key = any($2)
   union select lower(a.delivery_email) from user_account a where a.realm_id = $1 and lower(a.delivery_email) = any($2)
   union select lower(a.email) from user_account a where a.realm_id = $1 and lower(a.email) = any($2)`,
  { key: z.string() },
);

/** Which of the names and addresses, in lower case, somebody has as either of them; deleted users included. */
export async function listTakenKeys(sql: Sql, realmId: number, keys: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query(LIST_TAKEN, [realmId, keys]);
  return new Set(rows.map(({ key }) => key));
}

const INSERT_SEVERAL = statement(
  `insert into scim_user (realm_id, user_id, user_name, user_name_key, external_id, given_name, family_name, email_is_primary)
   select $1, new.* from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[]) as new`,
);

/** Stores what the provider calls new accounts. Violates USER_NAME_IS_UNIQUE. */
export async function insertScimUsers(
  sql: Sql,
  realmId: number,
  users: readonly Omit<NamedUser, 'realmId'>[],
): Promise<void> {
  await sql.query(INSERT_SEVERAL, [
    realmId,
    users.map(({ userId }) => userId),
    users.map(({ userName }) => userName),
    users.map(({ userName }) => userName.toLowerCase()),
    users.map(({ externalId }) => externalId),
    users.map(({ givenName }) => givenName),
    users.map(({ familyName }) => familyName),
    users.map(({ isEmailPrimary }) => isEmailPrimary ?? true),
  ]);
}

const REMOVE = statement(
  `insert into scim_user as s (realm_id, user_id, user_name, user_name_key, is_removed)
   select u.realm_id, u.id, u.delivery_email, lower(u.delivery_email), true from user_account u where u.realm_id = $1 and u.id = $2
   on conflict (realm_id, user_id) do update set is_removed = true`,
);

const LEAVE_GROUPS = statement(
  `delete from user_group_member m using scim_group g
   where m.realm_id = $1 and m.user_id = $2 and g.realm_id = m.realm_id and g.group_id = m.group_id`,
);

/** Hides an inactive account from the provider, and takes it out of the provider's groups: who comes back begins without them. */
export async function removeScimUser(sql: Sql, realmId: number, userId: number): Promise<void> {
  await sql.query(REMOVE, [realmId, userId]);
  await sql.query(LEAVE_GROUPS, [realmId, userId]);
}
