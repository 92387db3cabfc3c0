import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { json } from '../http/parameters';

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

export const removeAlertWords = endpoint({
  method: 'DELETE',
  path: '/users/me/alert_words',
  summary: "Remove some of the caller's alert words",
  auth: 'user',
  parameters: { alert_words: json(z.array(z.string())) },
  result: z.strictObject({ alert_words: z.array(z.string()) }),
  errors: [],
  async handler({ services }, { call }, values) {
    const { words } = await services.realm.removeAlertWords(call, { words: values.alert_words });
    return { alert_words: words };
  },
});
