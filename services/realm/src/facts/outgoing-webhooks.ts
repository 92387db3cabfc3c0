import { createHmac } from 'node:crypto';
import { BadRequestError } from '@parley/shared/errors';
import type {
  GetBotSigningSecretRequest,
  GetWebhookBotsRequest,
  GetWebhookSecretRequest,
  WebhookBots,
  WebhookSecret,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { findUsersByAddresses } from '../accounts/users.sql';
import { loadActor } from '../actors/actor';
import { possibleTexts } from '../base/possible-values';
import { accessBot } from '../bots/bots';
import type { Context } from '../context';
import { getRealm } from '../organization/change-organization';
import { findWebhookBots, type WebhookBotRow } from './outgoing-webhooks.sql';

/** The outgoing webhook bots that a message calls, with the data for calling them. For the scheduler. */
export async function getWebhookBots(
  { db, config }: Context,
  { realmId, ...called }: GetWebhookBotsRequest,
): Promise<WebhookBots> {
  const rows = await findWebhookBots(db, realmId, called);
  return { bots: rows.map((row) => ({ ...row, signingSecret: signingSecret(config.BOT_KEY_SECRET, row) })) };
}

/** The token by which receivers recognize a bot's calls. For the operator's command. */
export async function getWebhookSecret(
  ctx: Context,
  { subdomain, botEmail }: GetWebhookSecretRequest,
): Promise<WebhookSecret> {
  const { id: realmId } = await getRealm(ctx, { subdomain });
  const users = await findUsersByAddresses(ctx.db, realmId, possibleTexts([botEmail.trim()]));
  const namedIds = users.map(({ id }) => id);
  const [row] = await findWebhookBots(ctx.db, realmId, { namedIds, groupMemberIds: [] });
  if (!row) throw new BadRequestError('No such outgoing webhook bot');
  return { botId: row.bot.id, signingSecret: signingSecret(ctx.config.BOT_KEY_SECRET, row) };
}

/** The secret that signs calls of the caller's own bot. Administrators manage others' bots but do not get their secrets. */
export async function getBotSigningSecret(
  ctx: Context,
  caller: Caller,
  { botId }: GetBotSigningSecretRequest,
): Promise<WebhookSecret> {
  const { user } = await loadActor(ctx.db, caller, ctx.clock.now());
  const { bot } = await accessBot(ctx.db, user, botId);
  if (bot.user.botOwnerId !== user.id) throw new BadRequestError(REFUSAL.requests.mayNot);
  if (!bot.webhook) throw new BadRequestError('This bot has no outgoing webhook');
  const called = { bot: bot.user, webhook: bot.webhook };
  return { botId, signingSecret: signingSecret(ctx.config.BOT_KEY_SECRET, called) };
}

/**
 * The signing secret of a bot, in the form of Standard Webhooks: derived from the server's secret, so that it need not be stored, and
 * from the bot's token, so that both expire together.
 */
function signingSecret(serverSecret: string, { bot, webhook }: Pick<WebhookBotRow, 'bot' | 'webhook'>): string {
  const seed = `outgoing-webhook:${bot.realmId}:${bot.id}:${webhook.token}`;
  return `whsec_${createHmac('sha256', serverSecret).update(seed).digest('base64')}`;
}
