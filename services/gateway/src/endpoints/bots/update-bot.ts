import type { Bot, UpdateBotRequest, User } from '@parley/shared/proto';
import { publicBotDefaults } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint, type Values } from '../../http/endpoint';
import { boundedText, json, pathId, text } from '../../http/parameters';
import { botAvatarUrl, botDefaultsSchema } from '../../wire/bot';
import { CHANNEL_NAME_LIMIT, CONFIG_DATA, MAX_PICTURE_FORM_BYTES } from './bot-parameters';

const GENERIC_INTERFACE = 1;

const parameters = {
  bot_id: pathId(),
  full_name: text(z.string().optional()),
  role: json(z.int().optional()),
  bot_owner_id: json(z.int().optional()),
  config_data: json(CONFIG_DATA.optional().describe('Added to what there is, name by name.')),
  service_payload_url: json(z.string().optional()),
  service_interface: json(
    z.int().default(GENERIC_INTERFACE).describe('Counts together with service_payload_url only.'),
  ),
  default_sending_stream: text(boundedText(CHANNEL_NAME_LIMIT).optional().describe('Empty: none.')),
  default_events_register_stream: text(boundedText(CHANNEL_NAME_LIMIT).optional().describe('Empty: none.')),
  default_all_public_streams: json(z.boolean().optional()),
};

export const updateBot = endpoint({
  method: 'PATCH',
  path: '/bots/{bot_id}',
  summary: 'Change a bot; a picture may be uploaded with it',
  auth: 'user',
  parameters,
  maxUploadBytes: MAX_PICTURE_FORM_BYTES,
  result: botDefaultsSchema.extend({
    full_name: z.string(),
    avatar_url: z.string(),
    service_interface: z.int(),
    service_payload_url: z.string().nullable(),
    config_data: CONFIG_DATA,
    bot_owner: z.string().describe("API e-mail address of the bot's owner."),
  }),
  errors: ['BAD_IMAGE', 'UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call, files }, values) {
    const updated = await services.realm.updateBot(call, { ...toRequest(values), files: [...files] });
    const bot = updated.bot as Bot;
    return {
      full_name: (bot.user as User).fullName,
      avatar_url: botAvatarUrl(bot),
      service_interface: bot.webhook?.interface ?? GENERIC_INTERFACE,
      service_payload_url: bot.webhook?.payloadUrl ?? null,
      config_data: bot.configData,
      ...publicBotDefaults(bot),
      bot_owner: updated.ownerEmail,
    };
  },
});

function toRequest(values: Values<typeof parameters>): Omit<UpdateBotRequest, 'files'> {
  const { full_name: fullName, role, bot_owner_id: ownerId, config_data: configData } = values;
  const { service_payload_url: payloadUrl, service_interface: format } = values;
  const { default_sending_stream: sending, default_events_register_stream: events } = values;
  const { default_all_public_streams: hearsAllPublicChannels } = values;
  return {
    botId: values.bot_id,
    ...(fullName !== undefined && { fullName }),
    ...(role !== undefined && { role }),
    ...(ownerId !== undefined && { ownerId }),
    configData: configData === undefined ? null : { values: configData },
    ...(payloadUrl !== undefined && { payloadUrl, interface: format }),
    ...(sending !== undefined && { defaultSendingChannel: sending }),
    ...(events !== undefined && { defaultEventsChannel: events }),
    ...(hearsAllPublicChannels !== undefined && { hearsAllPublicChannels }),
  };
}
