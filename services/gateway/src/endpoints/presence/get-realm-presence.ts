import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { legacyPresencesSchema, publicLegacyPresences } from '../../wire/presence';

export const getRealmPresence = endpoint({
  method: 'GET',
  path: '/realm/presence',
  summary: 'Get when everybody in the organization was there',
  auth: 'user',
  parameters: {},
  result: z.strictObject({ server_timestamp: z.number(), presences: legacyPresencesSchema }),
  errors: [],
  async handler({ services }, { call }) {
    const list = await services.realm.listPresences(call, { withEmails: true });
    return { server_timestamp: list.listedAtMs / 1000, presences: publicLegacyPresences(list) };
  },
});
