import type { Bot, User } from '../proto';
import { BOT_TYPES, isWebUrl } from '../values';
import { avatarUrl } from './users';

/**
 * A bot as its managers see it. SPEC-GAP: without its API key, which no log or list may contain; current clients fetch it
 * when they show it.
 */
export function publicBot(bot: Bot) {
  const user = bot.user as User;
  return {
    user_id: user.id,
    full_name: user.fullName,
    email: user.email,
    bot_type: user.botType ?? null,
    is_active: user.isActive,
    owner_id: user.botOwnerId ?? null,
    avatar_url: avatarUrl(user, false) as string,
    ...publicBotDefaults(bot),
    services: publicBotServices(bot),
  };
}

/** A bot's default channels for sending and for its queues. */
export function publicBotDefaults(bot: Bot) {
  return {
    default_sending_stream: bot.defaultSendingChannel ?? null,
    default_events_register_stream: bot.defaultEventsChannel ?? null,
    default_all_public_streams: bot.hearsAllPublicChannels,
  };
}

function publicBotServices({ user, webhook }: Bot) {
  if (!webhook || user?.botType !== BOT_TYPES.outgoingWebhook) return [];
  return [
    {
      base_url: isWebUrl(webhook.payloadUrl) ? webhook.payloadUrl : '',
      interface: webhook.interface,
      token: webhook.token,
    },
  ];
}

export type PublicBot = ReturnType<typeof publicBot>;
