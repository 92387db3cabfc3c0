import type { Sql } from '@parley/shared/db';

interface PushTokenKey {
  realmId: number;
  userId: number;
  kind: string;
  tokenHash: Buffer;
}

interface NewPushToken extends PushTokenKey {
  token: string;
  appId: string | null;
  registeredAtMs: number;
}

/** Registers the token, again if it is. */
export async function storePushToken(sql: Sql, token: NewPushToken): Promise<void> {
  await sql.query(
    `insert into push_token (realm_id, user_id, kind, token_hash, token, app_id, registered_at)
     values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0))
     on conflict (realm_id, user_id, kind, token_hash)
     do update set app_id = excluded.app_id, registered_at = excluded.registered_at`,
    [token.realmId, token.userId, token.kind, token.tokenHash, token.token, token.appId, token.registeredAtMs],
  );
}

/** Removes all but the `kept` tokens of the user that were registered last. */
export async function removeOldestPushTokens(sql: Sql, realmId: number, userId: number, kept: number): Promise<void> {
  await sql.query(
    `delete from push_token where realm_id = $1 and user_id = $2 and (kind, token_hash) in (
       select kind, token_hash from push_token where realm_id = $1 and user_id = $2
       order by registered_at desc, kind, token_hash offset $3)`,
    [realmId, userId, kept],
  );
}

/** False: it was not registered. */
export async function removePushTokenRow(sql: Sql, key: PushTokenKey): Promise<boolean> {
  const rows = await sql.query(
    `delete from push_token where realm_id = $1 and user_id = $2 and kind = $3 and token_hash = $4 returning 1`,
    [key.realmId, key.userId, key.kind, key.tokenHash],
  );
  return rows.length > 0;
}

export async function removeAllPushTokens(sql: Sql, realmId: number, userId: number): Promise<void> {
  await sql.query('delete from push_token where realm_id = $1 and user_id = $2', [realmId, userId]);
}

/** Whether the user has registered the token, of whatever kind. */
export async function isPushTokenOf(sql: Sql, realmId: number, userId: number, tokenHash: Buffer): Promise<boolean> {
  const rows = await sql.query('select 1 from push_token where realm_id = $1 and user_id = $2 and token_hash = $3', [
    realmId,
    userId,
    tokenHash,
  ]);
  return rows.length > 0;
}
