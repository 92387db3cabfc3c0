import type { Sql } from '@parley/shared/db';
import { listAdministratorIds } from '../users/users.sql';
import { type BotRow, findBots } from './bots.sql';

/** Who hears of what happens to a bot: its owner and, unless it is for a private channel, the people who administer the organization. */
export async function botManagerIds(sql: Sql, realmId: number, botId: number): Promise<number[]> {
  const managerIds = await listBotManagerIds(sql, realmId, [botId]);
  return managerIds.get(botId) ?? [];
}

/** The same of several accounts; people, and the service's own bots, are managed by nobody. */
export async function listBotManagerIds(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = await findBots(sql, realmId, userIds);
  const administratorIds = rows.length > 0 ? await listAdministratorIds(sql, realmId) : [];
  return new Map(rows.map((row) => [row.bot.user.id, managersOf(row, administratorIds)]));
}

/** The same of a bot that the caller has loaded. */
export async function managerIdsOf(sql: Sql, row: BotRow): Promise<number[]> {
  return managersOf(row, await listAdministratorIds(sql, row.bot.user.realmId));
}

function managersOf({ bot: { user }, isForPrivateChannel }: BotRow, administratorIds: readonly number[]): number[] {
  return [...new Set([user.botOwnerId as number, ...(isForPrivateChannel ? [] : administratorIds)])];
}
