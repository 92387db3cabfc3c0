import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';

export const removeProfileValues = endpoint({
  method: 'DELETE',
  path: '/users/me/profile_data',
  summary: "Remove what the caller's profile says in custom fields",
  auth: 'user',
  parameters: { data: json(z.array(z.int()).describe('Ids of fields.')) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { data: fieldIds }) {
    await services.realm.removeProfileValues(call, { fieldIds });
    return {};
  },
});
