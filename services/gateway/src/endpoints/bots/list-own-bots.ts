import type { Bot, User } from '@parley/shared/proto';
import { publicBotDefaults } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { botAvatarUrl, botDefaultsSchema } from '../../wire/bot';

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
