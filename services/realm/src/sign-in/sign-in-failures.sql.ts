import type { Sql, Transaction } from '@parley/shared/db';

/** Of an organization, until they are recorded: what fails beyond these is counted together. */
const MAX_ROWS = 100;

export interface SignInFailure {
  realmId: number;
  /** Whose login name was tried; 0: nobody's. */
  userId: number;
  /** Empty: unknown. */
  address: string;
}

export async function countFailure(
  sql: Sql,
  { realmId, userId, address }: SignInFailure,
  nowMs: number,
): Promise<void> {
  await sql.query(
    `insert into sign_in_failure as f (realm_id, user_id, address, failures, first_at, last_at)
     select $1, case when is_full then 0 else $2 end, case when is_full then '' else $3 end, 1,
       to_timestamp($4 / 1000.0), to_timestamp($4 / 1000.0)
     from (select count(*) >= ${MAX_ROWS} and not coalesce(bool_or(user_id = $2 and address = $3), false) as is_full
       from sign_in_failure where realm_id = $1) known
     on conflict (realm_id, user_id, address) do update set failures = f.failures + 1, last_at = excluded.last_at`,
    [realmId, userId, address, nowMs],
  );
}

/** Organizations with failures that began before then. */
export async function listRealmsWithFailures(sql: Sql, beforeMs: number): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    'select distinct realm_id as id from sign_in_failure where first_at <= to_timestamp($1 / 1000.0) order by 1',
    [beforeMs],
  );
  return rows.map(({ id }) => id);
}

export interface CountedFailure extends Omit<SignInFailure, 'realmId'> {
  failures: number;
  firstAtMs: number;
  lastAtMs: number;
}

/** Takes all that an organization has. */
export function takeFailures(tx: Transaction, realmId: number): Promise<CountedFailure[]> {
  return tx.query(
    `with taken as (
       delete from sign_in_failure where realm_id = $1 returning user_id, address, failures, first_at, last_at
     )
     select user_id as "userId", address, failures, first_at as "firstAtMs", last_at as "lastAtMs"
     from taken order by first_at, user_id, address`,
    [realmId],
  );
}
