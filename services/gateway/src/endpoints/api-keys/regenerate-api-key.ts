import { z } from 'zod';
import { endpoint } from '../../http/endpoint';

export const regenerateApiKey = endpoint({
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  summary: "Replace all of the caller's API keys by a new one",
  auth: 'user',
  parameters: {},
  result: z.strictObject({ api_key: z.string() }),
  errors: [],
  async handler({ services }, { call }) {
    const { apiKey } = await services.realm.regenerateApiKey(call, {});
    return { api_key: apiKey };
  },
});
