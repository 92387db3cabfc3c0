import type { Sql } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { isOwnersBot } from '../accounts/permissions';
import { listAdministrators } from '../accounts/users.sql';
import { type BotRow, findBots } from './bots.sql';

type Administrator = Pick<User, 'id' | 'role'>;

/**
 * The users to notify of a bot's changes: its owner and, unless it is for a private channel, the administrators; for a bot with the role
 * of owner, only those who are owners.
 */
export async function botManagerIds(sql: Sql, realmId: number, botId: number): Promise<number[]> {
  const managerIds = await listBotManagerIds(sql, realmId, [botId]);
  return managerIds.get(botId) ?? [];
}

/** The managers of several accounts; people and system bots have none. */
export async function listBotManagerIds(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = await findBots(sql, realmId, userIds);
  const administrators = rows.length > 0 ? await listAdministrators(sql, realmId) : [];
  return new Map(rows.map((row) => [row.bot.user.id, managersOf(row, administrators)]));
}

/** The managers of a loaded bot. */
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
