import { onlyRow, type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { z } from 'zod';
import { USER, USER_JSON } from './users.sql';

const LOCK_ACTIVE_WITH_BOTS = statement(
  `with locked as (
     select u.id from user_account u
     where u.realm_id = $1 and (u.id = $2 or u.bot_owner_id = $2) and u.is_active order by u.id for no key update
   )
   select ${USER_JSON} as user from user_account u
   where u.realm_id = $1 and u.id in (select id from locked) order by u.id = $2, u.id`,
  { user: USER },
);

/** The account and the bots it owns, those that are active, bots first; locked until the transaction ends. */
export async function lockActiveWithBots(tx: Transaction, realmId: number, userId: number): Promise<User[]> {
  const rows = await tx.query(LOCK_ACTIVE_WITH_BOTS, [realmId, userId]);
  return rows.map(({ user }) => user);
}

const STORE_ACTIVITY = statement('update user_account set is_active = $3 where realm_id = $1 and id = any($2)');

/** Activates or deactivates accounts. */
export async function storeActivity(
  tx: Transaction,
  realmId: number,
  userIds: readonly number[],
  isActive: boolean,
): Promise<void> {
  await tx.query(STORE_ACTIVITY, [realmId, userIds, isActive]);
}

const STORE_ROLE = statement('update user_account set role = $3 where realm_id = $1 and id = $2');

export async function storeRole(tx: Transaction, realmId: number, userId: number, role: number): Promise<void> {
  await tx.query(STORE_ROLE, [realmId, userId, role]);
}

const STORE_BOT_OWNER = statement('update user_account set bot_owner_id = $3 where realm_id = $1 and id = $2');

export async function storeBotOwner(tx: Transaction, realmId: number, botId: number, ownerId: number): Promise<void> {
  await tx.query(STORE_BOT_OWNER, [realmId, botId, ownerId]);
}

const FIND_OWNERS_BOT = statement(
  `select from user_account where realm_id = $1 and bot_owner_id = $2 and is_active and is_bot and role = ${ROLES.owner} limit 1`,
  {},
);

/** Whether the person has an active bot with the role of owner, see isOwnersBot(). */
export async function ownsOwnersBot(sql: Sql, { realmId, id }: Pick<User, 'realmId' | 'id'>): Promise<boolean> {
  const rows = await sql.query(FIND_OWNERS_BOT, [realmId, id]);
  return rows.length > 0;
}

const COUNT_OWNERS = statement(
  `select count(*) as owners from user_account where realm_id = $1 and role = ${ROLES.owner} and is_active and not is_bot`,
  { owners: z.number() },
);

/** The number of active people who own the organization. */
export async function countOwners(sql: Sql, realmId: number): Promise<number> {
  return onlyRow(await sql.query(COUNT_OWNERS, [realmId])).owners;
}

const HAS_OTHER_PEOPLE = statement(
  `select exists (select from user_account where realm_id = $1 and id <> $2 and is_active and not is_bot) as "isSo"`,
  { isSo: z.boolean() },
);

/** Whether the organization has active people besides the user. */
export async function hasOtherPeople(sql: Sql, realmId: number, userId: number): Promise<boolean> {
  return onlyRow(await sql.query(HAS_OTHER_PEOPLE, [realmId, userId])).isSo;
}

const FIND_OPERATOR_RIGHTS = statement(
  `select may_create_users as "mayCreateUsers", may_change_emails as "mayChangeEmails"
   from user_account where realm_id = $1 and id = $2`,
  { mayCreateUsers: z.boolean(), mayChangeEmails: z.boolean() },
);

/** Rights that only the operator grants. */
export async function findOperatorRights(
  sql: Sql,
  realmId: number,
  userId: number,
): Promise<RowOf<typeof FIND_OPERATOR_RIGHTS>> {
  const [row] = await sql.query(FIND_OPERATOR_RIGHTS, [realmId, userId]);
  return row ?? { mayCreateUsers: false, mayChangeEmails: false };
}

const STORE_OPERATOR_RIGHTS = statement(
  `update user_account set may_create_users = coalesce($3, may_create_users),
     may_change_emails = coalesce($4, may_change_emails)
   where realm_id = $1 and id = $2`,
);

/** Null leaves a right as it is. */
export async function storeOperatorRights(
  sql: Sql,
  realmId: number,
  userId: number,
  { mayCreateUsers, mayChangeEmails }: { mayCreateUsers: boolean | null; mayChangeEmails: boolean | null },
): Promise<void> {
  await sql.query(STORE_OPERATOR_RIGHTS, [realmId, userId, mayCreateUsers, mayChangeEmails]);
}
