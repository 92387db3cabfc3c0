import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import { requireOwner } from '../guards';
import { possibleIds } from '../possible-values';
import { requireMayAdminister } from '../users/permissions';
import { type BotRow, findBot } from './bots.sql';

/** The bot, active or not, if the actor may manage it. The service's own are nobody's. */
export async function accessBot(sql: Sql, actor: User, botId: number): Promise<BotRow> {
  const [possibleId] = possibleIds([botId]);
  const row = possibleId === undefined ? null : await findBot(sql, actor.realmId, possibleId);
  if (row === null) throw new BadRequestError('No such bot');
  requireMayAdminister(actor, row.bot.user);
  if (row.mayCreateUsers) requireOwner(actor);
  return row;
}
