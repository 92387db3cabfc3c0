import { onlyRow, type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';

// SQL: most of it runs in transactions of accounts, which are SQL.

const COLUMNS = `c.id, c.user_id as "userId", c.old_email as "oldEmail", c.new_email as "newEmail", c.created_at as "createdAtMs",
  c.confirmed_at as "confirmedAtMs"`;

const EMAIL_CHANGE = {
  id: z.number(),
  userId: z.number(),
  oldEmail: z.string(),
  newEmail: z.string(),
  createdAtMs: z.number(),
  /** Null: it has not been confirmed. */
  confirmedAtMs: z.number().nullable(),
};

const LIST_REQUEST_TIMES = statement(
  `select created_at as "createdAtMs" from email_change
   where realm_id = $1 and user_id = $2 and created_at > to_timestamp($3 / 1000.0) order by created_at`,
  { createdAtMs: z.number() },
);

/** When the account has asked for another address since then, the earliest first. */
export async function listRequestTimes(sql: Sql, realmId: number, userId: number, sinceMs: number): Promise<number[]> {
  const rows = await sql.query(LIST_REQUEST_TIMES, [realmId, userId, sinceMs]);
  return rows.map(({ createdAtMs }) => createdAtMs);
}

const INSERT = statement(
  `insert into email_change (realm_id, user_id, old_email, new_email, created_at)
   values ($1, $2, $3, $4, to_timestamp($5 / 1000.0)) returning id`,
  { id: z.number() },
);

interface NewEmailChange {
  realmId: number;
  userId: number;
  oldEmail: string;
  newEmail: string;
  nowMs: number;
}

/** Notes that an account wants another address; returns under which id. */
export async function insertEmailChange(tx: Transaction, change: NewEmailChange): Promise<number> {
  const { realmId, userId, oldEmail, newEmail, nowMs } = change;
  return onlyRow(await tx.query(INSERT, [realmId, userId, oldEmail, newEmail, nowMs])).id;
}

const DELETE_OLD = statement(
  `delete from email_change where (realm_id, id) in (
     select realm_id, id from email_change where created_at <= to_timestamp($1 / 1000.0) for update skip locked)`,
);

/** Forgets what was asked for until then, in any organization; rows that another transaction has locked are left to that one. */
export async function deleteEmailChanges(sql: Sql, untilMs: number): Promise<void> {
  await sql.query(DELETE_OLD, [untilMs]);
}

const FIND_BY_ID = statement(`select ${COLUMNS} from email_change c where c.realm_id = $1 and c.id = $2`, EMAIL_CHANGE);

export type EmailChangeRow = RowOf<typeof FIND_BY_ID>;

export async function findEmailChangeById(sql: Sql, realmId: number, id: number): Promise<EmailChangeRow | null> {
  const [change] = await sql.query(FIND_BY_ID, [realmId, id]);
  return change ?? null;
}

const FIND_BY_KEY = statement(
  `select ${COLUMNS} from email_change_key k join email_change c on c.realm_id = k.realm_id and c.id = k.email_change_id
   where k.realm_id = $1 and k.key_hash = $2`,
  EMAIL_CHANGE,
);

export async function findEmailChangeByKey(sql: Sql, realmId: number, keyHash: Buffer): Promise<EmailChangeRow | null> {
  const [change] = await sql.query(FIND_BY_KEY, [realmId, keyHash]);
  return change ?? null;
}

const INSERT_KEY = statement('insert into email_change_key (realm_id, key_hash, email_change_id) values ($1, $2, $3)');

export async function insertEmailChangeKey(sql: Sql, realmId: number, id: number, keyHash: Buffer): Promise<void> {
  await sql.query(INSERT_KEY, [realmId, keyHash, id]);
}

const MARK_CONFIRMED = statement(
  `update email_change set confirmed_at = to_timestamp($3 / 1000.0)
   where realm_id = $1 and id = $2 and confirmed_at is null returning id`,
  { id: z.number() },
);

/** False when that had been done before. */
export async function markConfirmed(tx: Transaction, realmId: number, id: number, nowMs: number): Promise<boolean> {
  const rows = await tx.query(MARK_CONFIRMED, [realmId, id, nowMs]);
  return rows.length > 0;
}
