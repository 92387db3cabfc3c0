import type { Sql } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { isOwnersBot } from '../accounts/permissions';
import { listAdministrators } from '../accounts/users.sql';
import { type BotRow, findBots } from './bots.sql';

type Administrator = Pick<User, 'id' | 'role'>;

/**
 * Users who are notified of changes of a bot: its owner and, unless it is for a private channel, the people who administer the organization; of
 * one that is an owner itself, only those of them who are, too.
 */
export async function botManagerIds(sql: Sql, realmId: number, botId: number): Promise<number[]> {
  const managerIds = await listBotManagerIds(sql, realmId, [botId]);
  return managerIds.get(botId) ?? [];
}

/** The same for several accounts; people and system bots have no managers. */
export async function listBotManagerIds(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = await findBots(sql, realmId, userIds);
  const administrators = rows.length > 0 ? await listAdministrators(sql, realmId) : [];
  return new Map(rows.map((row) => [row.bot.user.id, managersOf(row, administrators)]));
}

/** The same of a bot that the caller has loaded. */
export async function managerIdsOf(sql: Sql, row: BotRow): Promise<number[]> {
  return managersOf(row, await listAdministrators(sql, row.bot.user.realmId));
}

function managersOf(
  { bot: { user }, isForPrivateChannel }: BotRow,
  administrators: readonly Administrator[],
): number[] {
  const ownerId = user.botOwnerId as number;
  const managers = isForPrivateChannel ? administrators.filter(({ id }) => id === ownerId) : administrators;
  if (isOwnersBot(user)) return managers.filter(({ role }) => role === ROLES.owner).map(({ id }) => id);
  return [...new Set([ownerId, ...managers.map(({ id }) => id)])];
}
