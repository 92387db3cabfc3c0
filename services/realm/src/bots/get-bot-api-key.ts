import { BadRequestError } from '@parley/shared/errors';
import type { BotApiKey, GetBotApiKeyRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { showBotKeys } from '../api-keys/show-bot-keys';
import type { Context } from '../context';
import { changeBot } from './change-bot';

/** A key of the bot that opens something; see showBotKeys(). */
export async function getBotApiKey(ctx: Context, caller: Caller, { botId }: GetBotApiKeyRequest): Promise<BotApiKey> {
  return changeBot(ctx, caller, botId, async (tx, _actor, { bot: { user } }) => {
    if (!user.isActive) throw new BadRequestError('User is deactivated');
    const apiKeys = await showBotKeys(ctx, tx, user.realmId, [user.id]);
    return { apiKey: apiKeys.get(user.id) as string };
  });
}
