import { toSeconds } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';

/** SPEC-GAP: keys are one per device or integration here, and nothing says how they are listed. */
export const getApiKeys = endpoint({
  method: 'GET',
  path: '/users/me/api_keys',
  summary: "List the caller's API keys by what they are for, without the keys themselves",
  auth: 'user',
  parameters: {},
  result: z.strictObject({
    api_keys: z.array(
      z.strictObject({
        id: z.int(),
        label: z.string().describe('Name of the client that signed in, if any.'),
        date_created: z.int().describe('UNIX seconds.'),
      }),
    ),
  }),
  errors: [],
  async handler({ services }, { call }) {
    const { keys } = await services.realm.getApiKeys(call, {});
    return {
      api_keys: keys.map(({ id, label, createdAtMs }) => ({ id, label, date_created: toSeconds(createdAtMs) })),
    };
  },
});
