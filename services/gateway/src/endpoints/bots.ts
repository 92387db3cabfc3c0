import type { Bot, UpdateBotRequest, User } from '@parley/shared/proto';
import { botDomain, LIMITS } from '@parley/shared/values';
import { publicBotDefaults } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint, type Values } from '../http/endpoint';
import { boundedText, json, pathId, text } from '../http/parameters';
import { botAvatarUrl, botDefaultsSchema } from '../wire/users';

/** More than the largest image, so that an image that is too large gets the documented error. */
const MAX_PICTURE_FORM_BYTES = 8 * 1024 * 1024;

const CHANNEL_NAME_LIMIT = LIMITS.channelNameLength;

/** Texts by name, which only the bot's code understands. */
const CONFIG_DATA = z.record(z.string(), z.string());

const ownBotSchema = botDefaultsSchema.extend({
  username: z.string().describe('The API e-mail address.'),
  full_name: z.string(),
  api_key: z.string(),
  avatar_url: z.string(),
});

export const listOwnBots = endpoint({
  method: 'GET',
  path: '/bots',
  summary: "List the caller's active bots, with a key of each",
  auth: 'user',
  parameters: {},
  result: z.strictObject({ bots: z.array(ownBotSchema).describe('In the order in which they were made.') }),
  errors: [],
  async handler({ services }, { call }) {
    const { bots } = await services.realm.listOwnBots(call, {});
    return { bots: bots.map(({ bot, apiKey }) => publicOwnBot(bot as Bot, apiKey)) };
  },
});

function publicOwnBot(bot: Bot, apiKey: string): z.infer<typeof ownBotSchema> {
  const { email, fullName } = bot.user as User;
  return {
    username: email,
    full_name: fullName,
    api_key: apiKey,
    avatar_url: botAvatarUrl(bot),
    ...publicBotDefaults(bot),
  };
}

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

const GENERIC_INTERFACE = 1;

const updateParameters = {
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
  parameters: updateParameters,
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
    const updated = await services.realm.updateBot(call, { ...updateRequest(values), files: [...files] });
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

function updateRequest(values: Values<typeof updateParameters>): Omit<UpdateBotRequest, 'files'> {
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

export const deactivateBot = endpoint({
  method: 'DELETE',
  path: '/bots/{bot_id}',
  summary: 'Take a bot out of use',
  auth: 'user',
  parameters: { bot_id: pathId() },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { bot_id: botId }) {
    await services.realm.deactivateBot(call, { botId });
    return {};
  },
});

export const getBotApiKey = endpoint({
  method: 'GET',
  path: '/bots/{bot_id}/api_key',
  summary: 'Show a key of a bot',
  auth: 'user',
  parameters: { bot_id: pathId() },
  result: z.strictObject({ api_key: z.string() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { bot_id: botId }) {
    const { apiKey } = await services.realm.getBotApiKey(call, { botId });
    return { api_key: apiKey };
  },
});

export const regenerateBotApiKey = endpoint({
  method: 'POST',
  path: '/bots/{bot_id}/api_key/regenerate',
  summary: "Replace all of a bot's API keys by a new one",
  auth: 'user',
  parameters: { bot_id: pathId() },
  result: z.strictObject({ api_key: z.string() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { bot_id: botId }) {
    const { apiKey } = await services.realm.regenerateBotApiKey(call, { botId });
    return { api_key: apiKey };
  },
});

export const getBotSigningSecret = endpoint({
  method: 'GET',
  path: '/bots/{bot_id}/signing_secret',
  summary: "Show what calls of the caller's outgoing webhook bot are signed with",
  auth: 'user',
  parameters: { bot_id: pathId() },
  result: z.strictObject({ signing_secret: z.string().describe('In the form of Standard Webhooks.') }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { bot_id: botId }) {
    const { signingSecret } = await services.realm.getBotSigningSecret(call, { botId });
    return { signing_secret: signingSecret };
  },
});
