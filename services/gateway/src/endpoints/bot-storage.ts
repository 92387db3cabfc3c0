import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { json } from '../http/parameters';

const keys = json(z.array(z.string()).optional().describe('Absent: all that there are.'));

export const putBotStorage = endpoint({
  method: 'PUT',
  path: '/bot_storage',
  summary: 'Store values that the caller, a bot, keeps between two runs',
  auth: 'user',
  parameters: { storage: json(z.record(z.string(), z.string()).describe('Values by key; others stay as they are.')) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { storage }) {
    await services.realm.putBotStorage(call, {
      entries: Object.entries(storage).map(([key, value]) => ({ key, value })),
    });
    return {};
  },
});

export const getBotStorage = endpoint({
  method: 'GET',
  path: '/bot_storage',
  summary: 'Show what the caller, a bot, has stored',
  auth: 'user',
  parameters: { keys },
  result: z.strictObject({ storage: z.record(z.string(), z.string()).describe('Values by key.') }),
  errors: [],
  async handler({ services }, { call }, values) {
    const { entries } = await services.realm.getBotStorage(call, { keys: toKeys(values.keys) });
    return { storage: Object.fromEntries(entries.map(({ key, value }) => [key, value])) };
  },
});

export const removeBotStorage = endpoint({
  method: 'DELETE',
  path: '/bot_storage',
  summary: 'Remove what the caller, a bot, has stored',
  auth: 'user',
  parameters: { keys },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, values) {
    await services.realm.removeBotStorage(call, { keys: toKeys(values.keys) });
    return {};
  },
});

function toKeys(list: string[] | undefined) {
  return list === undefined ? null : { keys: list };
}
