import { z } from 'zod';
import { endpoint } from '../../http/endpoint';

export const getAlertWords = endpoint({
  method: 'GET',
  path: '/users/me/alert_words',
  summary: "Get the caller's alert words",
  auth: 'user',
  parameters: {},
  result: z.strictObject({ alert_words: z.array(z.string()) }),
  errors: [],
  async handler({ services }, { call }) {
    const { words } = await services.realm.getAlertWords(call, {});
    return { alert_words: words };
  },
});
