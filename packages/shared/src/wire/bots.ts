import type { Bot, User } from '../proto';
import { BOT_TYPES, isWebUrl } from '../values';
import { avatarUrl, type PicturedUser } from './users';

/** The properties that are shown. */
export interface ShownBot extends Omit<Bot, 'user' | 'configData'> {
  user: (PicturedUser & Pick<User, 'email' | 'botType' | 'botOwnerId' | 'isActive'>) | null;
}

/**
 * A bot as its managers see it. SPEC-GAP: without its API key, which no log or list may contain; current clients fetch it
 * when they show it.
 */
export function publicBot(bot: ShownBot) {
  const user = bot.user as NonNullable<ShownBot['user']>;
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
export function publicBotDefaults(bot: Omit<ShownBot, 'user'>) {
  return {
    default_sending_stream: bot.defaultSendingChannel ?? null,
    default_events_register_stream: bot.defaultEventsChannel ?? null,
    default_all_public_streams: bot.hearsAllPublicChannels,
  };
}

function publicBotServices({ user, webhook }: ShownBot) {
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
