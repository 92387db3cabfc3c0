import { hasRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import type { ApiKey } from '@parley/shared/proto';
import { z } from 'zod';
import type { HolderNow } from './permissions';

const KEY_HOLDER = z.strictObject({
  apiKeyId: z.number(),
  realmId: z.number(),
  userId: z.number(),
  role: z.number(),
  isBot: z.boolean(),
  botType: z.number().nullable(),
  email: z.string(),
  deliveryEmail: z.string(),
  isActive: z.boolean(),
  subdomain: z.string(),
  isRealmDeactivated: z.boolean(),
  isSession: z.boolean(),
});

export type KeyHolderRow = z.infer<typeof KEY_HOLDER>;

/** SQL: whether a key `k` has no end, or a later one. */
const HAS_NOT_ENDED = 'coalesce(k.expires_at > now(), true)';

// NOTE: hashes are sent as JSON: PostgreSQL plans again for each length of an array, which takes longer than the search.
const FIND_KEY_HOLDERS = statement(
  `select holder.json as holder
   from json_array_elements_text($1::json) with ordinality as wanted (key_hash, n)
   left join lateral (
     select json_build_object('apiKeyId', k.id, 'realmId', u.realm_id, 'userId', u.id, 'role', u.role, 'isBot', u.is_bot,
       'botType', u.bot_type, 'email', u.email, 'deliveryEmail', u.delivery_email, 'isActive', u.is_active,
       'subdomain', r.subdomain, 'isRealmDeactivated', r.is_deactivated, 'isSession', k.expires_at is not null) as json
     from api_key k
     join user_account u on u.realm_id = k.realm_id and u.id = k.user_id
     join realm r on r.id = k.realm_id
     where k.key_hash = decode(wanted.key_hash, 'hex') and (k.revoked_at is null or not u.is_active) and ${HAS_NOT_ENDED}
     limit 1
   ) holder on true
   order by wanted.n`,
  { holder: KEY_HOLDER.nullable() },
);

/**
 * The holder of each key, in order; null for unknown and revoked keys. Suspended keys of deactivated accounts are found, so that the
 * answer gives the reason. Earlier versions revoked them.
 */
export async function findKeyHolders(sql: Sql, keyHashes: readonly Buffer[]): Promise<(KeyHolderRow | null)[]> {
  const rows = await sql.query(FIND_KEY_HOLDERS, [JSON.stringify(keyHashes.map((hash) => hash.toString('hex')))]);
  return rows.map(({ holder }) => holder);
}

/** A credential that is sent along with a user's call. */
export interface CarriedKey {
  realmId: number;
  userId: number;
  apiKeyId: number;
}

/** SQL: whether a key is the user's and not revoked. The arguments are SQL. */
export function isGoodKey(realmId: string, userId: string, keyId: string): string {
  return hasRow(`from api_key k
    where k.realm_id = ${realmId} and k.id = ${keyId} and k.user_id = ${userId} and k.revoked_at is null
      and ${HAS_NOT_ENDED}`);
}

/** The shape of holderNowOf(). */
export const HOLDER_NOW = z.strictObject({
  email: z.string(),
  deliveryEmail: z.string(),
  isActive: z.boolean(),
  role: z.number(),
  subdomain: z.string(),
  isRealmDeactivated: z.boolean(),
});

/** SQL: the account of a user's key, as JSON; null for unknown and revoked keys, and those of others. The arguments are SQL. */
export function holderNowOf(realmId: string, userId: string, keyId: string): string {
  return `(select json_build_object('email', u.email, 'deliveryEmail', u.delivery_email, 'isActive', u.is_active, 'role', u.role,
      'subdomain', r.subdomain, 'isRealmDeactivated', r.is_deactivated)
    from api_key k
    join user_account u on u.realm_id = k.realm_id and u.id = k.user_id
    join realm r on r.id = k.realm_id
    where k.realm_id = ${realmId} and k.id = ${keyId} and k.user_id = ${userId} and k.revoked_at is null
      and ${HAS_NOT_ENDED}
    limit 1)`;
}

// NOTE: JSON, see above.
const FIND_HOLDERS_NOW = statement(
  `select ${holderNowOf('used.realm_id', 'used.user_id', 'used.key_id')} as holder
   from rows from (json_to_recordset($1::json) as (r bigint, u bigint, k bigint)) with ordinality as used (realm_id, user_id, key_id, n)
   order by used.n`,
  { holder: HOLDER_NOW.nullable() },
);

/** The account of each key, in order; null for unknown and revoked keys, and those of others. */
export async function findHoldersNow(sql: Sql, keys: readonly CarriedKey[]): Promise<(HolderNow | null)[]> {
  const used = keys.map(({ realmId, userId, apiKeyId }) => ({ r: realmId, u: userId, k: apiKeyId }));
  const rows = await sql.query(FIND_HOLDERS_NOW, [JSON.stringify(used)]);
  return rows.map(({ holder }) => holder);
}

interface NewApiKey {
  realmId: number;
  userId: number;
  keyHash: Buffer;
  /** The salt of derived keys, see botKey(). */
  salt?: Buffer;
  label: string;
  createdAtMs: number;
  /** The end of a session. */
  expiresAtMs?: number;
}

export async function insertApiKey(sql: Sql, key: NewApiKey): Promise<void> {
  await insertApiKeys(sql, [key]);
}

const INSERT = statement(
  `insert into api_key (realm_id, user_id, key_hash, salt, label, created_at, expires_at)
   select realm_id, user_id, key_hash, salt, label, to_timestamp(created_ms / 1000.0), to_timestamp(expires_ms / 1000.0)
   from unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bytea[], $5::text[], $6::bigint[], $7::bigint[])
     as new (realm_id, user_id, key_hash, salt, label, created_ms, expires_ms)`,
);

export async function insertApiKeys(sql: Sql, keys: readonly NewApiKey[]): Promise<void> {
  await sql.query(INSERT, [
    keys.map(({ realmId }) => realmId),
    keys.map(({ userId }) => userId),
    keys.map(({ keyHash }) => keyHash),
    keys.map(({ salt = null }) => salt),
    keys.map(({ label }) => label),
    keys.map(({ createdAtMs }) => createdAtMs),
    keys.map(({ expiresAtMs = null }) => expiresAtMs),
  ]);
}

const LIST_SALTED = statement(
  `select user_id as "userId", key_hash as "keyHash", salt from api_key
   where realm_id = $1 and user_id = any($2) and revoked_at is null and salt is not null order by id desc`,
  { userId: z.number(), keyHash: z.instanceof(Buffer), salt: z.instanceof(Buffer) },
);

/** The accounts' valid keys with a salt, newest first. */
export async function listSaltedKeys(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
): Promise<RowOf<typeof LIST_SALTED>[]> {
  return sql.query(LIST_SALTED, [realmId, userIds]);
}

const FIND_ANY = statement(
  'select from api_key where realm_id = $1 and user_id = $2 and revoked_at is null and expires_at is null limit 1',
  {},
);

/** Whether the account has a key that is not revoked; it may be suspended with the account. */
export async function hasApiKey(sql: Sql, realmId: number, userId: number): Promise<boolean> {
  const rows = await sql.query(FIND_ANY, [realmId, userId]);
  return rows.length > 0;
}

const LIST = statement(
  `select id, label, created_at as "createdAtMs", expires_at as "expiresAtMs" from api_key k
   where realm_id = $1 and user_id = $2 and revoked_at is null and ${HAS_NOT_ENDED} order by id`,
  { id: z.number(), label: z.string(), createdAtMs: z.number(), expiresAtMs: z.number().nullable() },
);

/** The account's valid keys and sessions, oldest first. */
export async function listApiKeys(sql: Sql, realmId: number, userId: number): Promise<ApiKey[]> {
  const keys = await sql.query(LIST, [realmId, userId]);
  return keys.map(({ expiresAtMs, ...key }) => (expiresAtMs === null ? key : { ...key, expiresAtMs }));
}

const REVOKE = statement(
  `update api_key set revoked_at = to_timestamp($4 / 1000.0)
   where realm_id = $1 and user_id = $2 and revoked_at is null and ($3::bigint[] is null or id = any($3))
   returning id`,
  { id: z.number() },
);

/** Revokes keys of the account: those of the ids, or all (null). Returns the ids of those that were valid. */
export async function revokeApiKeys(
  sql: Sql,
  holder: { realmId: number; userId: number },
  keyIds: readonly number[] | null,
  revokedAtMs: number,
): Promise<number[]> {
  const rows = await sql.query(REVOKE, [holder.realmId, holder.userId, keyIds, revokedAtMs]);
  return rows.map(({ id }) => id);
}

const REVOKE_SESSIONS = statement(
  `update api_key set revoked_at = to_timestamp($4 / 1000.0)
   where realm_id = $1 and user_id = any($2) and id <> $3 and expires_at is not null and revoked_at is null
   returning id, user_id as "userId"`,
  { id: z.number(), userId: z.number() },
);

/** Ends the sessions of accounts, but for one. Returns those that were valid. */
export async function revokeSessions(
  sql: Sql,
  { realmId, userIds, exceptId }: { realmId: number; userIds: readonly number[]; exceptId: number },
  revokedAtMs: number,
): Promise<RowOf<typeof REVOKE_SESSIONS>[]> {
  return sql.query(REVOKE_SESSIONS, [realmId, userIds, exceptId, revokedAtMs]);
}

const DELETE_ENDED = statement('delete from api_key where realm_id = $1 and user_id = $2 and expires_at < now()');

/** Deletes the account's sessions that have ended. */
export async function deleteEndedSessions(
  sql: Sql,
  { realmId, userId }: { realmId: number; userId: number },
): Promise<void> {
  await sql.query(DELETE_ENDED, [realmId, userId]);
}
