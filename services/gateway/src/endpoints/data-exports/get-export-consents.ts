import { z } from 'zod';
import { endpoint } from '../../http/endpoint';

export const getExportConsents = endpoint({
  method: 'GET',
  path: '/export/realm/consents',
  summary: 'Get who lets administrators have their private things exported; for administrators',
  auth: 'user',
  parameters: {},
  result: z.strictObject({
    export_consents: z.array(z.strictObject({ user_id: z.int(), consented: z.boolean() })),
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }) {
    const { consents } = await services.realm.listExportConsents(call, {});
    return {
      export_consents: consents.map(({ userId, hasConsented }) => ({ user_id: userId, consented: hasConsented })),
    };
  },
});
