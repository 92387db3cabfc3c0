import { composed, onlyRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import type { Condition } from './filter.sql';

const JOINED = 'user_group g left join scim_group s on s.realm_id = g.realm_id and s.group_id = g.id';

const VISIBLE = `g.realm_id = $1 and g.name is not null and not g.is_system and not g.is_deactivated
  and not coalesce(s.is_removed, false)`;

/** SQL: the rows of a group's members whom the provider sees. */
// NOTE: joins would read all accounts for each group.
const MEMBERS = `user_group_member m cross join lateral (
    select u.is_active from user_account u where u.realm_id = m.realm_id and u.id = m.user_id and not u.is_bot limit 1
  ) u left join lateral (
    select p.is_removed from scim_user p where p.realm_id = m.realm_id and p.user_id = m.user_id limit 1
  ) p on true
  where m.realm_id = g.realm_id and m.group_id = g.id and (u.is_active or not coalesce(p.is_removed, false))`;

const COLUMNS = `g.id, g.name, s.external_id as "externalId", (extract(epoch from g.created_at) * 1000)::bigint as "createdAtMs"`;

const ROW = {
  id: z.number(),
  name: z.string(),
  externalId: z.string().nullable(),
  createdAtMs: z.number(),
  // Of the members' ids.
  digest: z.string().nullable(),
  memberIds: z.array(z.number()).nullable(),
};

/** SQL: `isNamed` says whether the members are listed. */
const membersOf = (isNamed: string) => `left join lateral (
  select md5(string_agg(m.user_id::text, ',' order by m.user_id)) as digest,
    case when ${isNamed} then array_agg(m.user_id order by m.user_id) end as "memberIds" from ${MEMBERS}) listed on true`;

const FIND = statement(
  `select ${COLUMNS}, listed.digest, listed."memberIds" from ${JOINED} ${membersOf('$3::boolean')} where ${VISIBLE} and g.id = $2`,
  ROW,
);

export type GroupRow = RowOf<typeof FIND>;

/** A group, as the provider sees it; null: it sees none of that id. */
export async function findScimGroup(
  sql: Sql,
  realmId: number,
  groupId: number,
  hasMembers: boolean,
): Promise<GroupRow | null> {
  const [row] = await sql.query(FIND, [realmId, groupId, hasMembers]);
  return row ?? null;
}

const COUNT = { total: z.number() };

/** Members of a page's groups together; the first group may have more. */
const MAX_MEMBERS = 20_000;

interface Page {
  offset: number;
  count: number;
  hasMembers: boolean;
}

/** A page of the groups that match, by id, and how many match. It is shorter where groups have many members. */
export async function listScimGroups(
  sql: Sql,
  realmId: number,
  { where, values, isSimple }: Condition,
  { offset, count, hasMembers }: Page,
): Promise<{ total: number; rows: GroupRow[] }> {
  const declare = isSimple ? statement : composed;
  const matching = `${JOINED} where ${VISIBLE} and ${where}`;
  const { total } = onlyRow(
    await sql.query(declare(`select count(*) as total from ${matching}`, COUNT), [realmId, ...values]),
  );
  if (count === 0 || offset >= total) return { total, rows: [] };
  const next = values.length + 2;
  const text = `
    with page as (
      select g.id, (select count(*) from user_group_member m where m.realm_id = g.realm_id and m.group_id = g.id) as size
      from ${matching} order by g.id limit $${next} offset $${next + 1}
    ), short as (
      select id, sum(size) over (order by id rows between unbounded preceding and 1 preceding) as former from page
    )
    select ${COLUMNS}, listed.digest, listed."memberIds"
    from short join user_group g on g.realm_id = $1 and g.id = short.id
    left join scim_group s on s.realm_id = g.realm_id and s.group_id = g.id
    ${membersOf(`$${next + 2}::boolean`)}
    where coalesce(short.former, 0) < ${MAX_MEMBERS} order by g.id`;
  return { total, rows: await sql.query(declare(text, ROW), [realmId, ...values, count, offset, hasMembers]) };
}

const FIND_NAMED = statement(
  `select g.id, g.is_system as "isSystem", g.is_deactivated as "isDeactivated",
     g.is_deactivated or coalesce(s.is_removed, false) as "isHidden"
   from ${JOINED} where g.realm_id = $1 and g.name = $2`,
  { id: z.number(), isSystem: z.boolean(), isDeactivated: z.boolean(), isHidden: z.boolean() },
);

/** The group of that name, whether the provider sees it or not. */
export async function findNamedGroup(
  sql: Sql,
  realmId: number,
  name: string,
): Promise<RowOf<typeof FIND_NAMED> | null> {
  const [row] = await sql.query(FIND_NAMED, [realmId, name]);
  return row ?? null;
}

const STORE = statement(
  `insert into scim_group (realm_id, group_id, external_id, is_removed) values ($1, $2, $3, $4)
   on conflict (realm_id, group_id) do update set external_id = excluded.external_id, is_removed = excluded.is_removed`,
);

/** Stores what the provider calls a group, and whether it deleted it. */
export async function storeScimGroup(
  sql: Sql,
  group: { realmId: number; groupId: number; externalId: string | null; isRemoved: boolean },
): Promise<void> {
  await sql.query(STORE, [group.realmId, group.groupId, group.externalId, group.isRemoved]);
}

const LIST_MEMBER_IDS = statement(
  `select coalesce(array_agg(m.user_id), '{}') as ids from user_group_member m cross join lateral (
     select from user_account u where u.realm_id = m.realm_id and u.id = m.user_id and not u.is_bot limit 1) person
   where m.realm_id = $1 and m.group_id = $2`,
  { ids: z.array(z.number()) },
);

/** All people in a group, active or not. */
export async function listPersonIds(sql: Sql, realmId: number, groupId: number): Promise<number[]> {
  return onlyRow(await sql.query(LIST_MEMBER_IDS, [realmId, groupId])).ids;
}

const LIST_FACTS = statement(
  `select u.id, u.is_active as "isActive", exists (select from user_group_member m
     where m.realm_id = u.realm_id and m.group_id = $2 and m.user_id = u.id) as "isMember"
   from user_account u left join scim_user s on s.realm_id = u.realm_id and s.user_id = u.id
   where u.realm_id = $1 and u.id = any($3) and not u.is_bot and (u.is_active or not coalesce(s.is_removed, false))`,
  { id: z.number(), isActive: z.boolean(), isMember: z.boolean() },
);

export type MemberFacts = RowOf<typeof LIST_FACTS>;

/** The people among the ids whom the provider sees, and whether they are in the group. */
export function listMemberFacts(
  sql: Sql,
  realmId: number,
  groupId: number,
  userIds: readonly number[],
): Promise<MemberFacts[]> {
  return sql.query(LIST_FACTS, [realmId, groupId, userIds]);
}
