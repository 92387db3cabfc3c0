import type { Sql, Transaction } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { USER_JSON } from './users.sql';

/** The account and the bots it owns, as far as they are active: bots first. They stay as they are until the transaction ends. */
export async function lockActiveWithBots(tx: Transaction, realmId: number, userId: number): Promise<User[]> {
  const rows = await tx.query<{ user: User }>(
    `with locked as (
       select u.id from user_account u
       where u.realm_id = $1 and (u.id = $2 or u.bot_owner_id = $2) and u.is_active order by u.id for no key update
     )
     select ${USER_JSON} as user from user_account u
     where u.realm_id = $1 and u.id in (select id from locked) order by u.id = $2, u.id`,
    [realmId, userId],
  );
  return rows.map(({ user }) => user);
}

/** Whether accounts are in use from now on. */
export async function storeActivity(
  tx: Transaction,
  realmId: number,
  userIds: readonly number[],
  isActive: boolean,
): Promise<void> {
  await tx.query('update user_account set is_active = $3 where realm_id = $1 and id = any($2)', [
    realmId,
    userIds,
    isActive,
  ]);
}

export async function storeRole(tx: Transaction, realmId: number, userId: number, role: number): Promise<void> {
  await tx.query('update user_account set role = $3 where realm_id = $1 and id = $2', [realmId, userId, role]);
}

export async function storeBotOwner(tx: Transaction, realmId: number, botId: number, ownerId: number): Promise<void> {
  await tx.query('update user_account set bot_owner_id = $3 where realm_id = $1 and id = $2', [
    realmId,
    botId,
    ownerId,
  ]);
}

/** Has the person an active bot that is an owner itself, isOwnersBot()? */
export async function ownsOwnersBot(sql: Sql, { realmId, id }: Pick<User, 'realmId' | 'id'>): Promise<boolean> {
  const rows = await sql.query(
    `select from user_account where realm_id = $1 and bot_owner_id = $2 and is_active and is_bot and role = ${ROLES.owner} limit 1`,
    [realmId, id],
  );
  return rows.length > 0;
}

/** Active people: owners, and all. */
export async function countPeople(sql: Sql, realmId: number): Promise<{ owners: number; all: number }> {
  const [row] = await sql.query<{ owners: number; all: number }>(
    `select count(*) filter (where role = ${ROLES.owner}) as owners, count(*) as all
     from user_account where realm_id = $1 and is_active and not is_bot`,
    [realmId],
  );
  return row as { owners: number; all: number };
}

interface OperatorRights {
  mayCreateUsers: boolean;
  mayChangeEmails: boolean;
}

/** Rights that only the operator grants. */
export async function findOperatorRights(sql: Sql, realmId: number, userId: number): Promise<OperatorRights> {
  const [row] = await sql.query<OperatorRights>(
    `select may_create_users as "mayCreateUsers", may_change_emails as "mayChangeEmails"
     from user_account where realm_id = $1 and id = $2`,
    [realmId, userId],
  );
  return row ?? { mayCreateUsers: false, mayChangeEmails: false };
}

/** Null: it stays. */
export async function storeOperatorRights(
  sql: Sql,
  realmId: number,
  userId: number,
  { mayCreateUsers, mayChangeEmails }: { [Right in keyof OperatorRights]: boolean | null },
): Promise<void> {
  await sql.query(
    `update user_account set may_create_users = coalesce($3, may_create_users),
       may_change_emails = coalesce($4, may_change_emails)
     where realm_id = $1 and id = $2`,
    [realmId, userId, mayCreateUsers, mayChangeEmails],
  );
}
