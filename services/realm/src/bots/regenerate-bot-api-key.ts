import { BadRequestError } from '@parley/shared/errors';
import type { BotApiKey, RegenerateBotApiKeyRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { replaceApiKeys } from '../api-keys/replace-api-keys';
import type { Context } from '../context';
import { changeBot } from './change-bot';

/** Ends all of the bot's keys at once and answers a new one. */
export async function regenerateBotApiKey(
  ctx: Context,
  caller: Caller,
  { botId }: RegenerateBotApiKeyRequest,
): Promise<BotApiKey> {
  return changeBot(ctx, caller, botId, async (tx, _actor, { bot: { user } }) => {
    if (!user.isActive) throw new BadRequestError('User is deactivated');
    return { apiKey: await replaceApiKeys(ctx, tx, user) };
  });
}
