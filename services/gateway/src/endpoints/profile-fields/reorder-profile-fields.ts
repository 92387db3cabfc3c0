import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';

export const reorderProfileFields = endpoint({
  method: 'PATCH',
  path: '/realm/profile_fields',
  summary: 'Put the custom fields of profiles into another order',
  auth: 'user',
  parameters: { order: json(z.array(z.int()).describe('Every field.')) },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { order: orderedIds }) {
    await services.realm.reorderProfileFields(call, { orderedIds });
    return {};
  },
});
