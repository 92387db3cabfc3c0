import type { Sql, Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type {
  BotApiKey,
  DeactivateBotRequest,
  DeactivateBotResponse,
  GetBotApiKeyRequest,
  OwnBotDefaults,
  OwnBots,
  RegenerateBotApiKeyRequest,
  User,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { requireMayAdminister } from '../accounts/permissions';
import { lockUser } from '../accounts/users.sql';
import { loadActor } from '../actors/actor';
import { replaceApiKeys } from '../api-keys/api-keys';
import { findBotKeys, showBotKeys } from '../api-keys/bot-keys';
import { requireMember, requireOwner } from '../base/guards';
import { possibleIds } from '../base/possible-values';
import { type BotRow, findBot, listOwnedBots } from '../bot-owners/bots.sql';
import type { Context } from '../context';
import { changeAccounts } from '../people/change-accounts';
import { deactivateAccount } from '../users/deactivate-user';

/** The caller's active bots, with a key of each. Writes only if a bot has no key that can be shown. */
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

/** Deactivates a bot; idempotent. */
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

/** A valid key of the bot; see showBotKeys(). */
export async function getBotApiKey(ctx: Context, caller: Caller, { botId }: GetBotApiKeyRequest): Promise<BotApiKey> {
  return changeBot(ctx, caller, botId, async (tx, _actor, { bot: { user } }) => {
    if (!user.isActive) throw new BadRequestError(REFUSAL.people.deactivated);
    const apiKeys = await showBotKeys(ctx, tx, user.realmId, [user.id]);
    return { apiKey: apiKeys.get(user.id) as string };
  });
}

/** Revokes all of the bot's keys and returns a new one. */
export async function regenerateBotApiKey(
  ctx: Context,
  caller: Caller,
  { botId }: RegenerateBotApiKeyRequest,
): Promise<BotApiKey> {
  return changeBot(ctx, caller, botId, async (tx, _actor, { bot: { user } }) => {
    if (!user.isActive) throw new BadRequestError(REFUSAL.people.deactivated);
    return { apiKey: await replaceApiKeys(ctx, tx, user) };
  });
}

/** Defaults for event queues of the calling bot; people and system bots have none. */
export async function getOwnBotDefaults(ctx: Context, { realmId, userId }: Caller): Promise<OwnBotDefaults> {
  const row = await findBot(ctx.db, realmId, userId);
  if (row === null) return { hearsAllPublicChannels: false };
  const { eventsChannel, bot } = row;
  return { ...(eventsChannel !== null && { eventsChannel }), hearsAllPublicChannels: bot.hearsAllPublicChannels };
}

/** Changes a bot that the caller may manage; such changes are serialized. */
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

/** The bot, active or not, if the actor may manage it; system bots have no managers. */
export async function accessBot(sql: Sql, actor: User, botId: number): Promise<BotRow> {
  const [possibleId] = possibleIds([botId]);
  const row = possibleId === undefined ? null : await findBot(sql, actor.realmId, possibleId);
  if (row === null) throw new BadRequestError(REFUSAL.bots.unknown);
  requireMayAdminister(actor, row.bot.user);
  if (row.mayCreateUsers) requireOwner(actor);
  return row;
}
