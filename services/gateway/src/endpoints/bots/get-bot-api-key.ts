import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

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
