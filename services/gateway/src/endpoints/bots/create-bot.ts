import { botDomain } from '@parley/shared/values';
import { publicBotDefaults } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { boundedText, json, text } from '../../http/parameters';
import { botAvatarUrl, botDefaultsSchema } from '../../wire/bot';
import { CHANNEL_NAME_LIMIT, CONFIG_DATA, MAX_PICTURE_FORM_BYTES } from './bot-parameters';

export const createBot = endpoint({
  method: 'POST',
  path: '/bots',
  summary: "Make a bot of the caller's; a picture may be uploaded with it",
  auth: 'user',
  parameters: {
    full_name: text(z.string()),
    short_name: text(z.string().describe('What its address begins with.')),
    bot_type: json(z.int().default(1).describe('1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded.')),
    payload_url: json(z.string().default('').describe("Where an outgoing webhook bot's calls go.")),
    interface_type: json(z.int().default(1).describe('1 generic, 2 Slack-compatible.')),
    service_name: text(boundedText(100).optional()),
    config_data: json(CONFIG_DATA.default({})),
    default_sending_stream: text(boundedText(CHANNEL_NAME_LIMIT).default('')),
    default_events_register_stream: text(boundedText(CHANNEL_NAME_LIMIT).default('')),
    default_all_public_streams: json(z.boolean().default(false)),
  },
  maxUploadBytes: MAX_PICTURE_FORM_BYTES,
  result: botDefaultsSchema.extend({ user_id: z.int(), api_key: z.string(), avatar_url: z.string() }),
  errors: ['BAD_IMAGE'],
  async handler({ config, services }, { call, subdomain, files }, values) {
    const { bot, apiKey } = await services.realm.createBot(call, {
      fullName: values.full_name,
      shortName: values.short_name,
      domain: botDomain(subdomain, config.EXTERNAL_HOST),
      botType: values.bot_type,
      payloadUrl: values.payload_url,
      interface: values.interface_type,
      ...(values.service_name !== undefined && { serviceName: values.service_name }),
      configData: values.config_data,
      defaultSendingChannel: values.default_sending_stream,
      defaultEventsChannel: values.default_events_register_stream,
      hearsAllPublicChannels: values.default_all_public_streams,
      files: [...files],
    });
    if (!bot?.user) throw new Error('realm answered no bot');
    return { user_id: bot.user.id, api_key: apiKey, avatar_url: botAvatarUrl(bot), ...publicBotDefaults(bot) };
  },
});
