import { BadRequestError } from '@parley/shared/errors';
import type { GetBotSigningSecretRequest, WebhookSecret } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import { accessBot } from '../bots/access-bot';
import type { Context } from '../context';
import { signingSecret } from './signing-secret';

/** What calls of the caller's own bot are signed with. Administrators manage bots of others, but receive none of their calls. */
export async function getBotSigningSecret(
  ctx: Context,
  caller: Caller,
  { botId }: GetBotSigningSecretRequest,
): Promise<WebhookSecret> {
  const { user } = await loadActor(ctx.db, caller, ctx.clock.now());
  const { bot } = await accessBot(ctx.db, user, botId);
  if (bot.user.botOwnerId !== user.id) throw new BadRequestError('Insufficient permission');
  if (!bot.webhook) throw new BadRequestError('This bot has no outgoing webhook');
  const called = { bot: bot.user, webhook: bot.webhook };
  return { botId, signingSecret: signingSecret(ctx.config.BOT_KEY_SECRET, called) };
}
