import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';

export const addAlertWords = endpoint({
  method: 'POST',
  path: '/users/me/alert_words',
  summary: "Add to the caller's alert words",
  auth: 'user',
  parameters: { alert_words: json(z.array(z.string())) },
  result: z.strictObject({ alert_words: z.array(z.string()) }),
  errors: [],
  async handler({ services }, { call }, values) {
    const { words } = await services.realm.addAlertWords(call, { words: values.alert_words });
    return { alert_words: words };
  },
});
