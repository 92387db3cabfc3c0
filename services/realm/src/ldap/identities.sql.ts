import { onlyRow, type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';

const COUNT_ACTIVE = statement(
  `select count(*) as count from ldap_identity i join user_account u on u.realm_id = i.realm_id and u.id = i.user_id
   where i.realm_id = $1 and u.is_active`,
  { count: z.number() },
);

/** The number of active accounts that belong to entries. */
export async function countActiveIdentities(sql: Sql, realmId: number): Promise<number> {
  return onlyRow(await sql.query(COUNT_ACTIVE, [realmId])).count;
}

// A sync in the future is of a clock that was wrong.
const LIST_DUE = statement(
  `select r.subdomain from ldap_directory d join realm r on r.id = d.realm_id left join ldap_sync s on s.realm_id = d.realm_id
   where d.is_enabled and not r.is_deactivated and r.import_began_at is null
     and (s.began_at is null or s.began_at <= to_timestamp($1 / 1000.0) or s.began_at > to_timestamp($2 / 1000.0))
   order by s.began_at nulls first`,
  { subdomain: z.string() },
);

/** Subdomains of open organizations with a directory in use and no sync since then; the longest ago first. */
export async function listDueSubdomains(sql: Sql, sinceMs: number, nowMs: number): Promise<string[]> {
  const rows = await sql.query(LIST_DUE, [sinceMs, nowMs]);
  return rows.map(({ subdomain }) => subdomain);
}

const LIST = statement(
  `select i.entry_id as "entryId", i.user_id as "userId", i.left_at is not null as "hasLeft", u.is_active as "isActive",
     u.delivery_email as "deliveryEmail", u.full_name as "fullName", u.role, i.given_role as "givenRole"
   from ldap_identity i join user_account u on u.realm_id = i.realm_id and u.id = i.user_id
   where i.realm_id = $1`,
  {
    entryId: z.string(),
    userId: z.number(),
    hasLeft: z.boolean(),
    isActive: z.boolean(),
    deliveryEmail: z.string(),
    fullName: z.string(),
    role: z.number(),
    // That the directory gave.
    givenRole: z.number().nullable(),
  },
);

/** An account that belongs to an entry. */
export type Identity = RowOf<typeof LIST>;

export function listIdentities(sql: Sql, realmId: number): Promise<Identity[]> {
  return sql.query(LIST, [realmId]);
}

const FIND = statement('select user_id as "userId" from ldap_identity where realm_id = $1 and entry_id = $2', {
  userId: z.number(),
});

/** The account of an entry; null: none yet. */
export async function findUserIdOfEntry(sql: Sql, realmId: number, entryId: string): Promise<number | null> {
  const [row] = await sql.query(FIND, [realmId, entryId]);
  return row?.userId ?? null;
}

const LIST_KNOWN = statement(
  'select entry_id as "entryId" from ldap_identity where realm_id = $1 and entry_id = any($2)',
  { entryId: z.string() },
);

/** Which of the entries have accounts. */
export async function listKnownEntries(sql: Sql, realmId: number, entryIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query(LIST_KNOWN, [realmId, entryIds]);
  return new Set(rows.map(({ entryId }) => entryId));
}

const INSERT = statement(
  `insert into ldap_identity (realm_id, entry_id, user_id, linked_at)
   select $1, entry_id, user_id, to_timestamp($4 / 1000.0)
   from unnest($2::text[], $3::bigint[]) as new (entry_id, user_id)`,
);

/** Accounts belong to entries from now on. */
export async function insertIdentities(
  tx: Transaction,
  realmId: number,
  identities: readonly Pick<Identity, 'entryId' | 'userId'>[],
  nowMs: number,
): Promise<void> {
  const entryIds = identities.map(({ entryId }) => entryId);
  await tx.query(INSERT, [realmId, entryIds, identities.map(({ userId }) => userId), nowMs]);
}

const STORE_LEAVING = statement(
  `update ldap_identity set left_at = to_timestamp($3::double precision / 1000.0) where realm_id = $1 and user_id = $2`,
);

/** Notes when a sync deactivated the account; null: it reactivated it. */
export async function storeLeaving(tx: Transaction, realmId: number, userId: number, leftAtMs: number | null) {
  await tx.query(STORE_LEAVING, [realmId, userId, leftAtMs]);
}

const FIND_GIVEN_ROLE = statement(
  'select given_role as "givenRole" from ldap_identity where realm_id = $1 and user_id = $2',
  { givenRole: z.number().nullable() },
);

/** The role that the directory gave to the account; null: none. */
export async function findGivenRole(sql: Sql, realmId: number, userId: number): Promise<number | null> {
  const [row] = await sql.query(FIND_GIVEN_ROLE, [realmId, userId]);
  return row?.givenRole ?? null;
}

const STORE_GIVEN_ROLE = statement('update ldap_identity set given_role = $3 where realm_id = $1 and user_id = $2');

export async function storeGivenRole(tx: Transaction, realmId: number, userId: number, role: number | null) {
  await tx.query(STORE_GIVEN_ROLE, [realmId, userId, role]);
}

const BEGIN_SYNC = statement(
  `insert into ldap_sync (realm_id, began_at, outcome) values ($1, to_timestamp($2 / 1000.0), '{}')
   on conflict (realm_id) do update set began_at = excluded.began_at`,
);

export async function noteSyncBegun(sql: Sql, realmId: number, nowMs: number): Promise<void> {
  await sql.query(BEGIN_SYNC, [realmId, nowMs]);
}

const END_SYNC = statement(
  `update ldap_sync set outcome = $2::jsonb,
     succeeded_at = case when $3 then began_at else succeeded_at end where realm_id = $1`,
);

export async function noteSyncEnded(
  sql: Sql,
  realmId: number,
  { outcome, hasRead }: { outcome: object; hasRead: boolean },
): Promise<void> {
  await sql.query(END_SYNC, [realmId, JSON.stringify(outcome), hasRead]);
}
