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
