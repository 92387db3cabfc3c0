import { type Sql, statement } from '@parley/shared/db';
import { ROLES } from '@parley/shared/values';
import { z } from 'zod';
import { nameKey } from '../base/name-key';
import type { SystemBot, SystemBotAccount } from './system-bots';

const GENERIC_BOT = 1;

const BOTS = `unnest($1::text[], $2::text[], $3::text[], $4::text[])
  as bot (system_bot, full_name, full_name_key, email)`;

const INSERT = statement(
  `insert into user_account (realm_id, delivery_email, email, full_name, full_name_key, role, is_bot, bot_type, system_bot,
     created_at)
   select $5, bot.email, bot.email, bot.full_name, bot.full_name_key, ${ROLES.member}, true, ${GENERIC_BOT}, bot.system_bot,
     to_timestamp($6 / 1000.0)
   from ${BOTS}`,
);

/** Creates a new organization's system bots. */
export async function insertSystemBots(
  sql: Sql,
  bots: readonly SystemBotAccount[],
  realmId: number,
  createdAtMs: number,
): Promise<void> {
  await sql.query(INSERT, [...columnsOf(bots), realmId, createdAtMs]);
}

const RENAME = statement(
  `update user_account u
   set full_name = bot.full_name, full_name_key = bot.full_name_key, email = bot.email, delivery_email = bot.email
   from ${BOTS}
   where u.system_bot = bot.system_bot and (u.full_name, u.email) is distinct from (bot.full_name, bot.email)`,
);

/** Renames the system bots of all organizations. */
export async function renameSystemBots(sql: Sql, bots: readonly SystemBotAccount[]): Promise<void> {
  await sql.query(RENAME, columnsOf(bots));
}

function columnsOf(bots: readonly SystemBotAccount[]): string[][] {
  return [
    bots.map(({ systemBot }) => systemBot),
    bots.map(({ fullName }) => fullName),
    bots.map(({ fullName }) => nameKey(fullName)),
    bots.map(({ email }) => email),
  ];
}

const FIND_IDS = statement(
  `select system_bot as "systemBot", id from user_account where realm_id = $1 and system_bot is not null`,
  { systemBot: z.enum(['notification-bot', 'welcome-bot']), id: z.number() },
);

/** The ids of an organization's system bots. */
export async function findSystemBotIds(sql: Sql, realmId: number): Promise<Map<SystemBot, number>> {
  const rows = await sql.query(FIND_IDS, [realmId]);
  return new Map(rows.map(({ systemBot, id }) => [systemBot, id]));
}
