import type { DeactivateBotRequest, DeactivateBotResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { deactivateAccount } from '../users/deactivate-account';
import { changeBot } from './change-bot';

/** Takes a bot out of use; one that is stays so. */
export async function deactivateBot(
  ctx: Context,
  caller: Caller,
  { botId }: DeactivateBotRequest,
): Promise<DeactivateBotResponse> {
  return changeBot(ctx, caller, botId, async (tx, _actor, { bot: { user } }) => {
    if (user.isActive) await deactivateAccount(ctx, tx, user.realmId, user.id);
    return {};
  });
}
