import type { OwnBots } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import { findBotKeys, showBotKeys } from '../api-keys/show-bot-keys';
import type { Context } from '../context';
import { requireMember } from '../guards';
import { listOwnedBots } from './bots.sql';

/** The caller's active bots, with a key of each. Changes nothing, and waits for nobody, unless a bot has no key that can be shown. */
export async function listOwnBots(ctx: Context, caller: Caller): Promise<OwnBots> {
  const { user } = await loadActor(ctx.db, caller, ctx.clock.now());
  requireMember(user);
  const owned = await listOwnedBots(ctx.db, user.realmId, user.id);
  const bots = owned.map(({ bot }) => bot).filter((bot) => bot.user.isActive);
  const ids = bots.map((bot) => bot.user.id);
  const found = await findBotKeys(ctx, ctx.db, user.realmId, ids);
  const show = () => ctx.db.transaction((tx) => showBotKeys(ctx, tx, user.realmId, ids));
  const apiKeys = ids.every((id) => found.has(id)) ? found : await show();
  return { bots: bots.map((bot) => ({ bot, apiKey: apiKeys.get(bot.user.id) as string })) };
}
