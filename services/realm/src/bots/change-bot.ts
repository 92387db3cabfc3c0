import type { Transaction } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireMember } from '../guards';
import { changeAccounts } from '../users/change-accounts';
import { lockUser } from '../users/users.sql';
import { accessBot } from './access-bot';
import type { BotRow } from './bots.sql';

/** Does something to a bot, if the caller may manage it; one such thing after the other. */
export async function changeBot<Result>(
  ctx: Context,
  caller: Caller,
  botId: number,
  change: (tx: Transaction, actor: User, row: BotRow) => Promise<Result>,
): Promise<Result> {
  return changeAccounts(ctx, caller, async (tx, actor) => {
    requireMember(actor);
    const { bot } = await accessBot(tx, actor, botId);
    await lockUser(tx, bot.user.realmId, bot.user.id);
    return change(tx, actor, await accessBot(tx, actor, botId));
  });
}
