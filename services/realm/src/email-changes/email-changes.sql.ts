import type { Sql, Transaction } from '@parley/shared/db';

export interface EmailChangeRow {
  id: number;
  userId: number;
  oldEmail: string;
  newEmail: string;
  createdAtMs: number;
  /** Null: it has not been confirmed. */
  confirmedAtMs: number | null;
}

const COLUMNS = `c.id, c.user_id as "userId", c.old_email as "oldEmail", c.new_email as "newEmail", c.created_at as "createdAtMs",
  c.confirmed_at as "confirmedAtMs"`;

/** When the account has asked for another address since then, the earliest first. */
export async function listRequestTimes(sql: Sql, realmId: number, userId: number, sinceMs: number): Promise<number[]> {
  const rows = await sql.query<{ createdAtMs: number }>(
    `select created_at as "createdAtMs" from email_change
     where realm_id = $1 and user_id = $2 and created_at > to_timestamp($3 / 1000.0) order by created_at`,
    [realmId, userId, sinceMs],
  );
  return rows.map(({ createdAtMs }) => createdAtMs);
}

interface NewEmailChange {
  realmId: number;
  userId: number;
  oldEmail: string;
  newEmail: string;
  nowMs: number;
}

/** Notes that an account wants another address; returns under which id. */
export async function insertEmailChange(tx: Transaction, change: NewEmailChange): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into email_change (realm_id, user_id, old_email, new_email, created_at)
     values ($1, $2, $3, $4, to_timestamp($5 / 1000.0)) returning id`,
    [change.realmId, change.userId, change.oldEmail, change.newEmail, change.nowMs],
  );
  return (row as { id: number }).id;
}

/** Forgets what was asked for until then, in any organization; what another transaction is at is left to that one. */
export async function deleteEmailChanges(sql: Sql, untilMs: number): Promise<void> {
  await sql.query(
    `delete from email_change where (realm_id, id) in (
       select realm_id, id from email_change where created_at <= to_timestamp($1 / 1000.0) for update skip locked)`,
    [untilMs],
  );
}

export async function findEmailChangeById(sql: Sql, realmId: number, id: number): Promise<EmailChangeRow | null> {
  const [change] = await sql.query<EmailChangeRow>(
    `select ${COLUMNS} from email_change c where c.realm_id = $1 and c.id = $2`,
    [realmId, id],
  );
  return change ?? null;
}

export async function findEmailChangeByKey(sql: Sql, realmId: number, keyHash: Buffer): Promise<EmailChangeRow | null> {
  const [change] = await sql.query<EmailChangeRow>(
    `select ${COLUMNS} from email_change_key k join email_change c on c.realm_id = k.realm_id and c.id = k.email_change_id
     where k.realm_id = $1 and k.key_hash = $2`,
    [realmId, keyHash],
  );
  return change ?? null;
}

export async function insertEmailChangeKey(sql: Sql, realmId: number, id: number, keyHash: Buffer): Promise<void> {
  await sql.query('insert into email_change_key (realm_id, key_hash, email_change_id) values ($1, $2, $3)', [
    realmId,
    keyHash,
    id,
  ]);
}

/** False when that had been done before. */
export async function markConfirmed(tx: Transaction, realmId: number, id: number, nowMs: number): Promise<boolean> {
  const rows = await tx.query(
    `update email_change set confirmed_at = to_timestamp($3 / 1000.0)
     where realm_id = $1 and id = $2 and confirmed_at is null returning 1`,
    [realmId, id, nowMs],
  );
  return rows.length > 0;
}
