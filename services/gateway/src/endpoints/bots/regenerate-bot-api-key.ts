import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

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
