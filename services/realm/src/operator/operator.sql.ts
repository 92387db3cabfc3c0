import { composed, type Sql, statement, type Transaction } from '@parley/shared/db';
import { messageShape, type RealmSummary } from '@parley/shared/proto';
import type { ROLES } from '@parley/shared/values';
import { z } from 'zod';

const MAX_REALMS = 1_000;

const FIND_FIRST_ACTIVE = composed(
  `select id from user_account where realm_id = $1 and role = $2 and is_active and not is_bot
   order by created_at, id limit 1`,
  { id: z.number() },
);

/** The active person with that role who joined first; null: none. */
export async function findFirstActive(
  sql: Sql,
  realmId: number,
  role: (typeof ROLES)[keyof typeof ROLES],
): Promise<number | null> {
  const [row] = await sql.query(FIND_FIRST_ACTIVE, [realmId, role]);
  return row?.id ?? null;
}

const LIST_REALMS = composed(
  `select json_strip_nulls(json_build_object('id', r.id, 'subdomain', r.subdomain, 'name', r.name,
     'createdAtMs', (extract(epoch from r.created_at) * 1000)::bigint, 'isDeactivated', r.is_deactivated,
     'dataDeletedFromMs', (extract(epoch from r.data_deleted_from) * 1000)::bigint,
     'isPurged', r.data_deleted_at is not null, 'people', accounts.people, 'bots', accounts.bots)) as realm
   from realm r cross join lateral (
     select count(*) filter (where not u.is_bot) as people, count(*) filter (where u.is_bot) as bots
     from user_account u where u.realm_id = r.id and u.is_active and u.system_bot is null
   ) accounts
   order by r.id limit ${MAX_REALMS}`,
  { realm: messageShape<RealmSummary>('realm', 'RealmSummary') },
);

/** All organizations, closed ones included. */
export async function listRealms(sql: Sql): Promise<RealmSummary[]> {
  const rows = await sql.query(LIST_REALMS);
  return rows.map(({ realm }) => realm);
}

const REOPEN = statement(
  `update realm set is_deactivated = false, deactivated_at = null, data_deleted_from = null
   where id = $1 and is_deactivated and data_deleted_at is null
     and (data_deleted_from is null or data_deleted_from > to_timestamp($2 / 1000.0))
   returning id`,
  { id: z.number() },
);

/** False when it is open, or its data is being deleted or was deleted. */
export async function reopenRealm(tx: Transaction, realmId: number, nowMs: number): Promise<boolean> {
  const rows = await tx.query(REOPEN, [realmId, nowMs]);
  return rows.length > 0;
}

const STORE_DATA_DELETION = statement(
  `update realm set data_deleted_from = to_timestamp($2 / 1000.0)
   where id = $1 and is_deactivated and data_deleted_at is null returning id`,
  { id: z.number() },
);

/** False when it is open, or its data was deleted. */
export async function storeDataDeletion(tx: Transaction, realmId: number, dataDeletedFromMs: number): Promise<boolean> {
  const rows = await tx.query(STORE_DATA_DELETION, [realmId, dataDeletedFromMs]);
  return rows.length > 0;
}

const STORE_PASSWORD_HASH = statement('update user_account set password_hash = $3 where realm_id = $1 and id = $2');

export async function storePasswordHash(
  tx: Transaction,
  { realmId, userId }: { realmId: number; userId: number },
  passwordHash: string,
): Promise<void> {
  await tx.query(STORE_PASSWORD_HASH, [realmId, userId, passwordHash]);
}

const STORE_SUBDOMAIN = statement('update realm set subdomain = $2 where id = $1');

/** Violates SUBDOMAIN_IS_UNIQUE when it is taken. */
export async function storeSubdomain(tx: Transaction, realmId: number, subdomain: string): Promise<void> {
  await tx.query(STORE_SUBDOMAIN, [realmId, subdomain]);
}

const LIST_ACTIVE_PEOPLE = statement(
  'select id from user_account where realm_id = $1 and is_active and not is_bot order by id',
  { id: z.number() },
);

/** Ids of all active people. */
export async function listActivePeople(sql: Sql, realmId: number): Promise<number[]> {
  const rows = await sql.query(LIST_ACTIVE_PEOPLE, [realmId]);
  return rows.map(({ id }) => id);
}

/** Tables of personal data. Subscriptions and memberships stay with the nameless account: rights to read depend on them. */
const PERSONAL_TABLES = [
  ...['api_key', 'push_token', 'client_device', 'user_settings', 'user_status', 'user_presence', 'alert_word'],
  ...['muted_user', 'navigation_view', 'onboarding_step', 'email_change', 'sign_in_address', 'sign_in_failure'],
  ...['scim_user', 'ldap_identity', 'oidc_session', 'oidc_identity', 'mail_bounce', 'sign_in_device'],
  'channel_mail_address',
  // Last: triggers count deletions from the others.
  'reader_change',
];

const DELETE_PERSONAL = PERSONAL_TABLES.map((table) =>
  statement(`delete from ${table} where realm_id = $1 and user_id = $2`),
);
const DELETE_MAILS = statement('delete from mail_job where realm_id = $1 and lower(recipient) = lower($2)');

export async function deletePersonalRows(
  tx: Transaction,
  realmId: number,
  userId: number,
  email: string,
): Promise<void> {
  for (const each of DELETE_PERSONAL) await tx.query(each, [realmId, userId]);
  await tx.query(DELETE_MAILS, [realmId, email]);
}

const DELETE_PROFILE = statement(
  'delete from profile_value where realm_id = $1 and user_id = $2 returning field_id as "fieldId"',
  { fieldId: z.number() },
);

/** Returns the ids of the fields that had values. */
export async function deleteProfile(tx: Transaction, realmId: number, userId: number): Promise<number[]> {
  const rows = await tx.query(DELETE_PROFILE, [realmId, userId]);
  return rows.map(({ fieldId }) => fieldId);
}

const BLANK_ACCOUNT = statement(
  `update user_account set password_hash = null, timezone = '', may_create_users = false, may_change_emails = false
   where realm_id = $1 and id = $2`,
);

export async function blankAccount(tx: Transaction, realmId: number, userId: number): Promise<void> {
  await tx.query(BLANK_ACCOUNT, [realmId, userId]);
}
