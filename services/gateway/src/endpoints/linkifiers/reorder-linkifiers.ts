import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';

export const reorderLinkifiers = endpoint({
  method: 'PATCH',
  path: '/realm/linkifiers',
  summary: 'Say in which order linkifiers are applied',
  auth: 'user',
  parameters: { ordered_linkifier_ids: json(z.array(z.int()).describe('Every linkifier, once.')) },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { ordered_linkifier_ids: orderedIds }) {
    await services.realm.reorderLinkifiers(call, { orderedIds });
    return {};
  },
});
