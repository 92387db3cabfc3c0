import type { Message, User } from '@parley/shared/proto';
import { realmUrl, toSeconds } from '@parley/shared/values';
import { publicMessage } from '@parley/shared/wire';
import { Webhook } from 'standardwebhooks';
import type { CalledBot } from './delivery';

export const SLACK_INTERFACE = 2;
const VERSION = '0.1.0';
const VIEW = { applyMarkdown: false, clientGravatar: false, isEmptyTopicUnderstood: true };

interface WebhookRequest {
  contentType: string;
  body: string;
}

/** The request body about a message, in the bot's format. */
export function webhookRequest(message: Message, called: CalledBot, externalHost: string): WebhookRequest {
  return called.webhook.interface === SLACK_INTERFACE
    ? slackRequest(message, called, externalHost)
    : genericRequest(message, called);
}

function genericRequest(message: Message, { bot, webhook }: CalledBot): WebhookRequest {
  const body = {
    data: message.content,
    message: { ...publicMessage(message, VIEW), rendered_content: message.renderedContent },
    bot_email: bot.email,
    bot_full_name: bot.fullName,
    token: webhook.token,
    trigger: triggerOf(message),
  };
  return { contentType: 'application/json', body: JSON.stringify(body) };
}

function slackRequest(message: Message, { bot, webhook }: CalledBot, externalHost: string): WebhookRequest {
  const sender = message.sender as User;
  const sentAt = String(toSeconds(message.sentAtMs));
  const fields = {
    token: webhook.token,
    team_id: `T${message.realmId}`,
    team_domain: new URL(realmUrl(message.senderRealm, externalHost)).host,
    channel_id: `C${message.channelId}`,
    channel_name: message.channelName,
    thread_ts: sentAt,
    timestamp: sentAt,
    user_id: `U${sender.id}`,
    user_name: sender.fullName,
    text: message.content,
    trigger_word: triggerOf(message),
    service_id: String(bot.id),
  };
  return { contentType: 'application/x-www-form-urlencoded', body: new URLSearchParams(fields).toString() };
}

function triggerOf({ channelId }: Message): string {
  return channelId === undefined ? 'direct_message' : 'mention';
}

/** Headers with a signature by Standard Webhooks; a retried delivery has the same id. */
export function webhookHeaders(
  { contentType, body }: WebhookRequest,
  { signingSecret }: Pick<CalledBot, 'signingSecret'>,
  { id, nowMs }: { id: string; nowMs: number },
): Record<string, string> {
  return {
    'Content-Type': contentType,
    'User-Agent': `ParleyOutgoingWebhook/${VERSION}`,
    'webhook-id': id,
    'webhook-timestamp': String(toSeconds(nowMs)),
    'webhook-signature': new Webhook(signingSecret).sign(id, new Date(nowMs), body),
  };
}
