import type { OwnBots } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import { showBotKeys } from '../api-keys/show-bot-keys';
import type { Context } from '../context';
import { requireMember } from '../guards';
import { listOwnedBots } from './bots.sql';

/** The caller's active bots, with a key of each. */
export async function listOwnBots(ctx: Context, caller: Caller): Promise<OwnBots> {
  return ctx.db.transaction(async (tx) => {
    const { user } = await loadActor(tx, caller, ctx.clock.now());
    requireMember(user);
    const bots = (await listOwnedBots(tx, user.realmId, user.id))
      .map(({ bot }) => bot)
      .filter((bot) => bot.user.isActive);
    const apiKeys = await showBotKeys(
      ctx,
      tx,
      user.realmId,
      bots.map((bot) => bot.user.id),
    );
    return { bots: bots.map((bot) => ({ bot, apiKey: apiKeys.get(bot.user.id) as string })) };
  });
}
