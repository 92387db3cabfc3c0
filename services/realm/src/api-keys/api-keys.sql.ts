import { type Sql, statement } from '@parley/shared/db';
import type { ApiKey } from '@parley/shared/proto';
import type { KeyHolder } from './permissions';

export interface KeyHolderRow extends KeyHolder {
  apiKeyId: number;
  realmId: number;
  userId: number;
  role: number;
  isBot: boolean;
  botType: number | null;
}

// NOTE: hashes come as JSON, not as an array: of an array PostgreSQL counts the elements and plans each call anew, which takes
// longer than the search.
const FIND_KEY_HOLDERS = statement(
  'find-key-holders',
  `select holder.json as holder
   from json_array_elements_text($1::json) with ordinality as wanted (key_hash, n)
   left join lateral (
     select json_build_object('apiKeyId', k.id, 'realmId', u.realm_id, 'userId', u.id, 'role', u.role, 'isBot', u.is_bot,
       'botType', u.bot_type, 'email', u.email, 'deliveryEmail', u.delivery_email, 'isActive', u.is_active,
       'subdomain', r.subdomain, 'isRealmDeactivated', r.is_deactivated) as json
     from api_key k
     join user_account u on u.realm_id = k.realm_id and u.id = k.user_id
     join realm r on r.id = k.realm_id
     where k.key_hash = decode(wanted.key_hash, 'hex') and (k.revoked_at is null or not u.is_active)
     limit 1
   ) holder on true
   order by wanted.n`,
);

/**
 * Who holds each of the keys, in order; null where nobody does, or does no more. The keys of deactivated accounts are suspended: they open
 * nothing, but whoever shows one is to hear why. Earlier versions have ended them.
 */
export async function findKeyHolders(sql: Sql, keyHashes: readonly Buffer[]): Promise<(KeyHolderRow | null)[]> {
  const rows = await sql.query<{ holder: KeyHolderRow | null }>(FIND_KEY_HOLDERS, [
    JSON.stringify(keyHashes.map((hash) => hash.toString('hex'))),
  ]);
  return rows.map(({ holder }) => holder);
}

interface NewApiKey {
  realmId: number;
  userId: number;
  keyHash: Buffer;
  /** Of keys that can be made again, see botKey(). */
  salt?: Buffer;
  label: string;
  createdAtMs: number;
}

export async function insertApiKey(sql: Sql, key: NewApiKey): Promise<void> {
  await insertApiKeys(sql, [key]);
}

export async function insertApiKeys(sql: Sql, keys: readonly NewApiKey[]): Promise<void> {
  await sql.query(
    `insert into api_key (realm_id, user_id, key_hash, salt, label, created_at)
     select realm_id, user_id, key_hash, salt, label, to_timestamp(created_ms / 1000.0)
     from unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bytea[], $5::text[], $6::bigint[])
       as new (realm_id, user_id, key_hash, salt, label, created_ms)`,
    [
      keys.map(({ realmId }) => realmId),
      keys.map(({ userId }) => userId),
      keys.map(({ keyHash }) => keyHash),
      keys.map(({ salt = null }) => salt),
      keys.map(({ label }) => label),
      keys.map(({ createdAtMs }) => createdAtMs),
    ],
  );
}

interface SaltedKeyRow {
  userId: number;
  keyHash: Buffer;
  salt: Buffer;
}

/** The accounts' keys that open something and have a salt, newest first. */
export async function listSaltedKeys(sql: Sql, realmId: number, userIds: readonly number[]): Promise<SaltedKeyRow[]> {
  return sql.query(
    `select user_id as "userId", key_hash as "keyHash", salt from api_key
     where realm_id = $1 and user_id = any($2) and revoked_at is null and salt is not null order by id desc`,
    [realmId, userIds],
  );
}

/** Whether any key is left to the account that was not ended, be it suspended with the account. */
export async function hasApiKey(sql: Sql, realmId: number, userId: number): Promise<boolean> {
  const rows = await sql.query(
    'select 1 from api_key where realm_id = $1 and user_id = $2 and revoked_at is null limit 1',
    [realmId, userId],
  );
  return rows.length > 0;
}

/** The account's keys that open something, oldest first. */
export async function listApiKeys(sql: Sql, realmId: number, userId: number): Promise<ApiKey[]> {
  return sql.query(
    `select id, label, created_at as "createdAtMs" from api_key
     where realm_id = $1 and user_id = $2 and revoked_at is null order by id`,
    [realmId, userId],
  );
}

/** Ends keys of the account: those of these ids, or all (null). Returns the ids of those that opened something until now. */
export async function revokeApiKeys(
  sql: Sql,
  holder: { realmId: number; userId: number },
  keyIds: readonly number[] | null,
  revokedAtMs: number,
): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    `update api_key set revoked_at = to_timestamp($4 / 1000.0)
     where realm_id = $1 and user_id = $2 and revoked_at is null and ($3::bigint[] is null or id = any($3))
     returning id`,
    [holder.realmId, holder.userId, keyIds, revokedAtMs],
  );
  return rows.map(({ id }) => id);
}
