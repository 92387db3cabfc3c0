import type { Sql } from '@parley/shared/db';

/** Who is trying, by SHA-256 of the lower-cased login name; the account need not exist. */
export interface Login {
  realmId: number;
  loginHash: Buffer;
}

export interface AttemptLimit {
  maxAttempts: number;
  windowMs: number;
}

/**
 * Counts an attempt, as a failed one until forgetAttempts is called, unless there were too many within the window. False: it may
 * not be made. Attempts of one login name are counted one after another, whoever serves them.
 */
export async function countAttempt(
  sql: Sql,
  { realmId, loginHash }: Login,
  { maxAttempts, windowMs }: AttemptLimit,
  nowMs: number,
): Promise<boolean> {
  const rows = await sql.query(
    `insert into sign_in_attempt as a (realm_id, login_hash, attempted_at, expires_at)
     values ($1, $2, array[to_timestamp($3 / 1000.0)], to_timestamp($5 / 1000.0))
     on conflict (realm_id, login_hash) do update set
       attempted_at = array(select t from unnest(a.attempted_at) t where t > to_timestamp($4 / 1000.0)) || excluded.attempted_at,
       expires_at = excluded.expires_at
     where (select count(*) from unnest(a.attempted_at) t where t > to_timestamp($4 / 1000.0)) < $6
     returning 1`,
    [realmId, loginHash, nowMs, nowMs - windowMs, nowMs + windowMs, maxAttempts],
  );
  return rows.length > 0;
}

/** When the oldest attempt that counts was made, UNIX milliseconds; null when none counts. */
export async function findOldestAttempt(
  sql: Sql,
  { realmId, loginHash }: Login,
  sinceMs: number,
): Promise<number | null> {
  const [row] = await sql.query<{ attemptedAtMs: number | null }>(
    `select min(t) as "attemptedAtMs" from sign_in_attempt a, unnest(a.attempted_at) t
     where a.realm_id = $1 and a.login_hash = $2 and t > to_timestamp($3 / 1000.0)`,
    [realmId, loginHash, sinceMs],
  );
  return row?.attemptedAtMs ?? null;
}

/** After a success, earlier failures count no more. */
export async function forgetAttempts(sql: Sql, { realmId, loginHash }: Login): Promise<void> {
  await sql.query('delete from sign_in_attempt where realm_id = $1 and login_hash = $2', [realmId, loginHash]);
}

const SWEEP = 100;

/** Removes some of the attempts that count no more: more than one failure can add. */
export async function sweepAttempts(sql: Sql, nowMs: number): Promise<void> {
  await sql.query(
    `delete from sign_in_attempt where (realm_id, login_hash) in (
       select realm_id, login_hash from sign_in_attempt where expires_at < to_timestamp($1 / 1000.0)
       limit ${SWEEP} for update skip locked)`,
    [nowMs],
  );
}
