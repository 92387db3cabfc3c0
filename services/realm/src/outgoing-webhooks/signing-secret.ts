import { createHmac } from 'node:crypto';
import type { WebhookBotRow } from './outgoing-webhooks.sql';

/**
 * What calls of a bot are signed with, in the form of Standard Webhooks: made of the server's secret, so that nothing more is stored
 * of it, and of the bot's token, so that it ends with it.
 */
export function signingSecret(serverSecret: string, { bot, webhook }: Pick<WebhookBotRow, 'bot' | 'webhook'>): string {
  const seed = `outgoing-webhook:${bot.realmId}:${bot.id}:${webhook.token}`;
  return `whsec_${createHmac('sha256', serverSecret).update(seed).digest('base64')}`;
}
