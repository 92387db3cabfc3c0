import { createHash } from 'node:crypto';
import { onlyRow, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';

const DELETE_OVER = statement('delete from oidc_spent where realm_id = $1 and expires_at < to_timestamp($2 / 1000.0)');
const SPEND = statement(
  `insert into oidc_spent (realm_id, hash, expires_at) values ($1, $2, to_timestamp($3 / 1000.0))
   on conflict do nothing returning realm_id as "realmId"`,
  { realmId: z.number() },
);

/** Uses up what may be used once, until it ends by itself; false: it was used before. */
export async function spend(
  tx: Transaction,
  realmId: number,
  { what, endsAtMs }: { what: readonly string[]; endsAtMs: number },
  nowMs: number,
): Promise<boolean> {
  const hash = createHash('sha256').update(JSON.stringify(what)).digest();
  await tx.query(DELETE_OVER, [realmId, nowMs]);
  return (await tx.query(SPEND, [realmId, hash, endsAtMs])).length > 0;
}

export interface ProviderSession {
  realmId: number;
  userId: number;
  providerId: number;
  subject: string;
  /** The provider's name of its session; null: it gave none. */
  sid: string | null;
}

const INSERT_SESSION = statement(
  `insert into oidc_session (realm_id, api_key_id, user_id, provider_id, subject, sid)
   select realm_id, id, $3, $4, $5, $6 from api_key where realm_id = $1 and key_hash = $2`,
);

/** Notes through which sign-in a session or key was made. */
export async function insertProviderSession(
  tx: Transaction,
  { realmId, userId, providerId, subject, sid }: ProviderSession,
  keyHash: Buffer,
): Promise<void> {
  await tx.query(INSERT_SESSION, [realmId, keyHash, userId, providerId, subject, sid]);
}

const ENDED = { userId: z.number(), keyIds: z.array(z.number()) };

/** SQL: by account, the ids of valid keys that a provider ends. */
const endedWhere = (condition: string) =>
  statement(
    `select s.user_id as "userId", json_agg(s.api_key_id order by s.api_key_id) as "keyIds"
     from oidc_session s cross join lateral (
       select k.revoked_at, k.expires_at from api_key k where k.realm_id = s.realm_id and k.id = s.api_key_id limit 1) k
     where s.realm_id = $1 and s.provider_id = $2 and k.revoked_at is null and ${condition}
     group by s.user_id order by s.user_id`,
    ENDED,
  );

// A text for each set of names: for all sets together PostgreSQL would read the sessions of everybody.
const FIND_OF_SESSION = endedWhere('($3 or k.expires_at is not null) and s.sid = $4');
const FIND_OF_SUBJECT = endedWhere('($3 or k.expires_at is not null) and s.subject = $4');
// A session without a name of the provider ends with any of its subject's.
const FIND_OF_BOTH = endedWhere(
  '($3 or k.expires_at is not null) and s.subject = $4 and (s.sid = $5 or s.sid is null)',
);
const FIND_ALL = endedWhere('($3 or k.expires_at is not null)');

export interface LogoutOf {
  realmId: number;
  providerId: number;
  /** At least one of them is given. */
  sid: string | null;
  subject: string | null;
  /** Keys without an end, too. */
  includesKeys: boolean;
}

/** The valid sessions that a logout at the provider ends, by account. */
export async function listLoggedOut(sql: Sql, logout: LogoutOf): Promise<{ userId: number; keyIds: number[] }[]> {
  const { realmId, providerId, sid, subject, includesKeys } = logout;
  const common = [realmId, providerId, includesKeys];
  if (subject === null) return sql.query(FIND_OF_SESSION, [...common, sid]);
  return sid === null
    ? sql.query(FIND_OF_SUBJECT, [...common, subject])
    : sql.query(FIND_OF_BOTH, [...common, subject, sid]);
}

/** All valid sessions made through the provider, by account; with its keys, if `includesKeys`. */
export async function listProviderSessions(
  sql: Sql,
  { realmId, id, includesKeys }: { realmId: number; id: number; includesKeys: boolean },
): Promise<{ userId: number; keyIds: number[] }[]> {
  return sql.query(FIND_ALL, [realmId, id, includesKeys]);
}

const FIND_OWN = statement(
  `select coalesce(json_agg(s.api_key_id order by s.api_key_id), '[]') as "keyIds"
   from oidc_session s join api_key k on k.realm_id = s.realm_id and k.id = s.api_key_id
   where s.realm_id = $1 and s.user_id = $2 and k.revoked_at is null`,
  { keyIds: ENDED.keyIds },
);

/** An account's valid sessions and keys that were made through any provider. */
export async function listOwnProviderKeys(sql: Sql, realmId: number, userId: number): Promise<number[]> {
  return onlyRow(await sql.query(FIND_OWN, [realmId, userId])).keyIds;
}

const FIND_GROUPS = statement(
  `select coalesce(json_agg(id), '[]') as ids from user_group
   where realm_id = $1 and id = any($2) and name is not null and not is_system`,
  { ids: z.array(z.number()) },
);

/** The groups to which a rule can lead. */
export async function listRulableGroups(sql: Sql, realmId: number, groupIds: readonly number[]): Promise<number[]> {
  return onlyRow(await sql.query(FIND_GROUPS, [realmId, groupIds])).ids;
}
