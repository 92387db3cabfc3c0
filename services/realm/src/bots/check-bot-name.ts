import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { nameKey } from '../name-key';
import { isActiveNameTaken } from './bots.sql';

/** Refuses a bot's name that another active account has. */
export async function checkBotName(sql: Sql, realmId: number, fullName: string, botId: number | null): Promise<void> {
  const name = { fullName, fullNameKey: nameKey(fullName), exceptId: botId };
  if (await isActiveNameTaken(sql, realmId, name)) throw new BadRequestError('Name is already in use!');
}
