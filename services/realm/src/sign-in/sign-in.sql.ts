import { fewRows, onlyRow, type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';

const FIND_ACCOUNT = statement(
  `select realm_id as "realmId", id as "userId", delivery_email as "deliveryEmail", password_hash as "passwordHash", is_active as "isActive", role
   from user_account where realm_id = $1 and lower(delivery_email) = $2 and system_bot is null`,
  {
    realmId: z.number(),
    userId: z.number(),
    deliveryEmail: z.string(),
    // Null: no password, as for bots.
    passwordHash: z.string().nullable(),
    isActive: z.boolean(),
    role: z.number(),
  },
);

export type SignInAccount = RowOf<typeof FIND_ACCOUNT>;

/** The account with that real address, in any casing; null when there is none, or only a system bot. */
export async function findAccountByLoginName(
  sql: Sql,
  realmId: number,
  loginName: string,
): Promise<SignInAccount | null> {
  const [account] = await sql.query(FIND_ACCOUNT, [realmId, loginName.toLowerCase()]);
  return account ?? null;
}

const FIND_PASSWORD_HASH = statement('select password_hash as hash from user_account where realm_id = $1 and id = $2', {
  hash: z.string().nullable(),
});

export async function findPasswordHash(sql: Sql, realmId: number, userId: number): Promise<string | null> {
  const [row] = await sql.query(FIND_PASSWORD_HASH, [realmId, userId]);
  return row?.hash ?? null;
}

const REPLACE_PASSWORD_HASH = statement(
  'update user_account set password_hash = $4 where realm_id = $1 and id = $2 and password_hash = $3 returning id',
  { id: z.number() },
);

/** False when the password was changed since it was compared. */
export async function replacePasswordHash(
  tx: Transaction,
  { realmId, userId }: { realmId: number; userId: number },
  { formerHash, passwordHash }: { formerHash: string; passwordHash: string },
): Promise<boolean> {
  const rows = await tx.query(REPLACE_PASSWORD_HASH, [realmId, userId, formerHash, passwordHash]);
  return rows.length > 0;
}

const SET_PASSWORD_HASH = statement('update user_account set password_hash = $3 where realm_id = $1 and id = $2');

/** Null: the account has no password. */
export async function setPasswordHash(
  tx: Transaction,
  { realmId, userId }: { realmId: number; userId: number },
  passwordHash: string | null,
): Promise<void> {
  await tx.query(SET_PASSWORD_HASH, [realmId, userId, passwordHash]);
}

/** A counted login name or address, as SHA-256; the login name may have no account. */
interface Tried {
  hash: Buffer;
  /** Attempts are refused after this many failures within the window. */
  max: number;
}

export interface Attempt {
  realmId: number;
  name: Tried;
  /** The address of the client, if known. */
  address: Tried | null;
  nowMs: number;
  windowMs: number;
}

const COUNT_ATTEMPT = statement(
  `insert into sign_in_attempt as a (realm_id, login_hash, attempted_at, expires_at)
   select $1, hash, array[to_timestamp($3 / 1000.0)], to_timestamp($5 / 1000.0) from unnest($2::bytea[]) with ordinality t (hash, n) order by n
   on conflict (realm_id, login_hash) do update set
     attempted_at = array(select t from unnest(a.attempted_at) t where t > to_timestamp($4 / 1000.0)) || excluded.attempted_at,
     expires_at = excluded.expires_at
   where (select count(*) from unnest(a.attempted_at) t where t > to_timestamp($4 / 1000.0))
     < ($6::int[])[array_position($2::bytea[], excluded.login_hash)]
   returning login_hash as hash`,
  { hash: z.instanceof(Buffer) },
);

/**
 * Counts an attempt for its name and address, as a failure until forgetAttempt is called. Returns those with too many failures: then the
 * attempt is refused. Attempts with one login name are serialized, on all replicas.
 */
export async function countAttempt(sql: Sql, { realmId, name, address, nowMs, windowMs }: Attempt): Promise<Buffer[]> {
  // Always in this order, so that concurrent attempts cannot deadlock.
  const tried = address ? [address, name] : [name];
  const rows = await sql.query(COUNT_ATTEMPT, [
    realmId,
    tried.map(({ hash }) => hash),
    nowMs,
    nowMs - windowMs,
    nowMs + windowMs,
    tried.map(({ max }) => max),
  ]);
  return tried.map(({ hash }) => hash).filter((hash) => !rows.some((row) => row.hash.equals(hash)));
}

// Removes one attempt of $2 only: others may have been made at the same time.
const PLACE = 'array_position(attempted_at, to_timestamp($2 / 1000.0)::timestamptz)';
const UNCOUNT = `update sign_in_attempt set attempted_at = attempted_at[:${PLACE} - 1] || attempted_at[${PLACE} + 1:]
  where realm_id = $1 and ${PLACE} is not null`;

const WITHDRAW_ATTEMPT = statement(`${UNCOUNT} and login_hash = any($3::bytea[])`);

/** Uncounts a refused attempt for the name or address that was below its limit. */
export async function withdrawAttempt(
  sql: Sql,
  { realmId, name, address, nowMs }: Attempt,
  full: readonly Buffer[],
): Promise<void> {
  const counted = [name, address].flatMap((tried) => (tried && !full.includes(tried.hash) ? [tried.hash] : []));
  if (counted.length === 0) return;
  await sql.query(WITHDRAW_ATTEMPT, [realmId, nowMs, counted]);
}

const FIND_OLDEST_ATTEMPT = statement(
  `select min(t) as "attemptedAtMs" from sign_in_attempt a, unnest(a.attempted_at) t
   where a.realm_id = $1 and a.login_hash = any($2::bytea[]) and t > to_timestamp($3 / 1000.0)`,
  { attemptedAtMs: z.number().nullable() },
);

/** The time of the oldest attempt that still counts for the hashes, UNIX milliseconds; null: none. */
export async function findOldestAttempt(
  sql: Sql,
  { realmId, nowMs, windowMs }: Attempt,
  hashes: readonly Buffer[],
): Promise<number | null> {
  return onlyRow(await sql.query(FIND_OLDEST_ATTEMPT, [realmId, hashes, nowMs - windowMs])).attemptedAtMs;
}

const FORGET_ATTEMPT = statement(
  `with forgotten as (delete from sign_in_attempt where realm_id = $1 and login_hash = $3)
   ${UNCOUNT} and login_hash = $4`,
);

/** After a success: deletes all failures of the name, and this attempt of the address. */
export async function forgetAttempt(sql: Sql, { realmId, name, address, nowMs }: Attempt): Promise<void> {
  await sql.query(FORGET_ATTEMPT, [realmId, nowMs, name.hash, address?.hash ?? null]);
}

const SWEPT_AT_ONCE = 100;

const SWEEP = statement(
  `delete from sign_in_attempt a using ${fewRows(
    `select row(realm_id, login_hash) from sign_in_attempt where expires_at < to_timestamp($1 / 1000.0)
     order by expires_at limit ${SWEPT_AT_ONCE} for update skip locked`,
  )} as over (realm_id bigint, login_hash bytea)
   where a.realm_id = over.realm_id and a.login_hash = over.login_hash`,
);

/** Deletes some expired rows: more than one failed or refused attempt can add. */
export async function sweepAttempts(sql: Sql, nowMs: number): Promise<void> {
  await sql.query(SWEEP, [nowMs]);
}

/** An address from which an account signs in. */
export interface SignInAddress {
  realmId: number;
  userId: number;
  addressHash: Buffer;
}

const FIND_ADDRESS = statement(
  'select from sign_in_address where realm_id = $1 and user_id = $2 and address_hash = $3',
  {},
);

export async function isKnownAddress(sql: Sql, { realmId, userId, addressHash }: SignInAddress): Promise<boolean> {
  const rows = await sql.query(FIND_ADDRESS, [realmId, userId, addressHash]);
  return rows.length > 0;
}

/** Remembered addresses of an account: the most recently used. */
const MAX_ADDRESSES = 20;

const REMEMBER_ADDRESS = statement(
  `with remembered as (
     insert into sign_in_address (realm_id, user_id, address_hash, used_at) values ($1, $2, $3, to_timestamp($4 / 1000.0))
     on conflict (realm_id, user_id, address_hash) do update set used_at = excluded.used_at
   )
   delete from sign_in_address where (realm_id, user_id, address_hash) in (
     select realm_id, user_id, address_hash from sign_in_address
     where realm_id = $1 and user_id = $2 and address_hash <> $3 order by used_at desc offset ${MAX_ADDRESSES - 1})`,
);

export async function rememberAddress(
  sql: Sql,
  { realmId, userId, addressHash }: SignInAddress,
  nowMs: number,
): Promise<void> {
  await sql.query(REMEMBER_ADDRESS, [realmId, userId, addressHash, nowMs]);
}

/** Unrecorded rows of an organization; further failures are counted in one row. */
const MAX_ROWS = 100;

interface SignInFailure {
  realmId: number;
  /** The account of the login name; 0: none. */
  userId: number;
  /** Empty: unknown. */
  address: string;
}

const COUNT_FAILURE = statement(
  `insert into sign_in_failure as f (realm_id, user_id, address, failures, first_at, last_at)
   select $1, case when is_full then 0 else $2 end, case when is_full then '' else $3 end, 1,
     to_timestamp($4 / 1000.0), to_timestamp($4 / 1000.0)
   from (select count(*) >= ${MAX_ROWS} and not coalesce(bool_or(user_id = $2 and address = $3), false) as is_full
     from sign_in_failure where realm_id = $1) known
   on conflict (realm_id, user_id, address) do update set failures = f.failures + 1, last_at = excluded.last_at`,
);

export async function countFailure(
  sql: Sql,
  { realmId, userId, address }: SignInFailure,
  nowMs: number,
): Promise<void> {
  await sql.query(COUNT_FAILURE, [realmId, userId, address, nowMs]);
}

const LIST_REALMS_WITH_FAILURES = statement(
  'select distinct realm_id as id from sign_in_failure where first_at <= to_timestamp($1 / 1000.0) order by 1',
  { id: z.number() },
);

/** Organizations with failures that began before that time. */
export async function listRealmsWithFailures(sql: Sql, beforeMs: number): Promise<number[]> {
  const rows = await sql.query(LIST_REALMS_WITH_FAILURES, [beforeMs]);
  return rows.map(({ id }) => id);
}

const TAKE_FAILURES = statement(
  `with taken as (
     delete from sign_in_failure where realm_id = $1 returning user_id, address, failures, first_at, last_at
   )
   select user_id as "userId", address, failures, first_at as "firstAtMs", last_at as "lastAtMs"
   from taken order by first_at, user_id, address`,
  {
    userId: z.number(),
    address: z.string(),
    failures: z.number(),
    firstAtMs: z.number(),
    lastAtMs: z.number(),
  },
);

export type CountedFailure = RowOf<typeof TAKE_FAILURES>;

/** Removes and returns all failures of an organization. */
export function takeFailures(tx: Transaction, realmId: number): Promise<CountedFailure[]> {
  return tx.query(TAKE_FAILURES, [realmId]);
}
