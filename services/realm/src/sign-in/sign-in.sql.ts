import type { Sql, Transaction } from '@parley/shared/db';

/** An account as far as signing in goes. */
export interface SignInAccount {
  realmId: number;
  userId: number;
  deliveryEmail: string;
  /** Null: it has no password, as bots. */
  passwordHash: string | null;
  isActive: boolean;
}

/** The account whose real address it is, in any casing; null when there is none, or one that nobody signs in to. */
export async function findAccountByLoginName(
  sql: Sql,
  realmId: number,
  loginName: string,
): Promise<SignInAccount | null> {
  const [account] = await sql.query<SignInAccount>(
    `select realm_id as "realmId", id as "userId", delivery_email as "deliveryEmail", password_hash as "passwordHash", is_active as "isActive"
     from user_account where realm_id = $1 and lower(delivery_email) = $2 and system_bot is null`,
    [realmId, loginName.toLowerCase()],
  );
  return account ?? null;
}

export async function findPasswordHash(sql: Sql, realmId: number, userId: number): Promise<string | null> {
  const [row] = await sql.query<{ hash: string | null }>(
    'select password_hash as hash from user_account where realm_id = $1 and id = $2',
    [realmId, userId],
  );
  return row?.hash ?? null;
}

/** False when the password is another one than the one that was compared with, by now. */
export async function replacePasswordHash(
  tx: Transaction,
  { realmId, userId }: { realmId: number; userId: number },
  { formerHash, passwordHash }: { formerHash: string; passwordHash: string },
): Promise<boolean> {
  const rows = await tx.query(
    'update user_account set password_hash = $4 where realm_id = $1 and id = $2 and password_hash = $3 returning 1',
    [realmId, userId, formerHash, passwordHash],
  );
  return rows.length > 0;
}

/** What attempts are counted for, by SHA-256; of a login name the account need not exist. */
interface Tried {
  hash: Buffer;
  /** So many failures within the window, and no more is tried. */
  max: number;
}

export interface Attempt {
  realmId: number;
  name: Tried;
  /** From where, if that is known. */
  address: Tried | null;
  nowMs: number;
  windowMs: number;
}

/**
 * Counts an attempt, as a failed one until forgetAttempt is called, for its name and its address, unless one of them had too many.
 * Answers which: then it may not be made. Attempts of one login name are counted one after another, whoever serves them.
 */
export async function countAttempt(sql: Sql, { realmId, name, address, nowMs, windowMs }: Attempt): Promise<Buffer[]> {
  // Always in this order: attempts at the same time wait for each other, but never in a circle.
  const tried = address ? [address, name] : [name];
  const rows = await sql.query<{ hash: Buffer }>(
    `insert into sign_in_attempt as a (realm_id, login_hash, attempted_at, expires_at)
     select $1, hash, array[to_timestamp($3 / 1000.0)], to_timestamp($5 / 1000.0) from unnest($2::bytea[]) with ordinality t (hash, n) order by n
     on conflict (realm_id, login_hash) do update set
       attempted_at = array(select t from unnest(a.attempted_at) t where t > to_timestamp($4 / 1000.0)) || excluded.attempted_at,
       expires_at = excluded.expires_at
     where (select count(*) from unnest(a.attempted_at) t where t > to_timestamp($4 / 1000.0))
       < ($6::int[])[array_position($2::bytea[], excluded.login_hash)]
     returning login_hash as hash`,
    [realmId, tried.map(({ hash }) => hash), nowMs, nowMs - windowMs, nowMs + windowMs, tried.map(({ max }) => max)],
  );
  return tried.map(({ hash }) => hash).filter((hash) => !rows.some((row) => row.hash.equals(hash)));
}

// Just one attempt of $2 counts no more: others may have been made at the same time.
const PLACE = 'array_position(attempted_at, to_timestamp($2 / 1000.0)::timestamptz)';
const UNCOUNT = `update sign_in_attempt set attempted_at = attempted_at[:${PLACE} - 1] || attempted_at[${PLACE} + 1:]
  where realm_id = $1 and ${PLACE} is not null`;

/** After a refusal: for what still had room the attempt, which was not made, does not count. */
export async function withdrawAttempt(
  sql: Sql,
  { realmId, name, address, nowMs }: Attempt,
  full: readonly Buffer[],
): Promise<void> {
  const counted = [name, address].flatMap((tried) => (tried && !full.includes(tried.hash) ? [tried.hash] : []));
  if (counted.length === 0) return;
  await sql.query(`${UNCOUNT} and login_hash = any($3::bytea[])`, [realmId, nowMs, counted]);
}

/** When the oldest attempt that counts was made of those that are named, UNIX milliseconds; null when none counts. */
export async function findOldestAttempt(
  sql: Sql,
  { realmId, nowMs, windowMs }: Attempt,
  hashes: readonly Buffer[],
): Promise<number | null> {
  const [row] = await sql.query<{ attemptedAtMs: number | null }>(
    `select min(t) as "attemptedAtMs" from sign_in_attempt a, unnest(a.attempted_at) t
     where a.realm_id = $1 and a.login_hash = any($2::bytea[]) and t > to_timestamp($3 / 1000.0)`,
    [realmId, hashes, nowMs - windowMs],
  );
  return row?.attemptedAtMs ?? null;
}

/** After a success: earlier failures of the name count no more, and of the address this attempt does not. */
export async function forgetAttempt(sql: Sql, { realmId, name, address, nowMs }: Attempt): Promise<void> {
  await sql.query(
    `with forgotten as (delete from sign_in_attempt where realm_id = $1 and login_hash = $3)
     ${UNCOUNT} and login_hash = $4`,
    [realmId, nowMs, name.hash, address?.hash ?? null],
  );
}

const SWEEP = 100;

/** Removes some of the attempts that count no more: more than one failure, or refusal, can add. */
export async function sweepAttempts(sql: Sql, nowMs: number): Promise<void> {
  await sql.query(
    `delete from sign_in_attempt where (realm_id, login_hash) in (
       select realm_id, login_hash from sign_in_attempt where expires_at < to_timestamp($1 / 1000.0)
       limit ${SWEEP} for update skip locked)`,
    [nowMs],
  );
}

/** From where an account signs in. */
export interface SignInAddress {
  realmId: number;
  userId: number;
  addressHash: Buffer;
}

export async function isKnownAddress(sql: Sql, { realmId, userId, addressHash }: SignInAddress): Promise<boolean> {
  const rows = await sql.query(
    'select from sign_in_address where realm_id = $1 and user_id = $2 and address_hash = $3',
    [realmId, userId, addressHash],
  );
  return rows.length > 0;
}

/** The addresses that were used last are remembered, so many of an account. */
const MAX_ADDRESSES = 20;

export async function rememberAddress(
  sql: Sql,
  { realmId, userId, addressHash }: SignInAddress,
  nowMs: number,
): Promise<void> {
  await sql.query(
    `with remembered as (
       insert into sign_in_address (realm_id, user_id, address_hash, used_at) values ($1, $2, $3, to_timestamp($4 / 1000.0))
       on conflict (realm_id, user_id, address_hash) do update set used_at = excluded.used_at
     )
     delete from sign_in_address where (realm_id, user_id, address_hash) in (
       select realm_id, user_id, address_hash from sign_in_address
       where realm_id = $1 and user_id = $2 and address_hash <> $3 order by used_at desc offset ${MAX_ADDRESSES - 1})`,
    [realmId, userId, addressHash, nowMs],
  );
}

/** Of an organization, until they are recorded: what fails beyond these is counted together. */
const MAX_ROWS = 100;

interface SignInFailure {
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
