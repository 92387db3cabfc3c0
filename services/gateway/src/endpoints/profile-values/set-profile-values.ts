import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';

const valueSchema = z.object({
  id: z.int().describe('Of the field.'),
  value: z.union([z.string(), z.array(z.int())]).describe('Ids of users where the field holds people.'),
});

export const setProfileValues = endpoint({
  method: 'PATCH',
  path: '/users/me/profile_data',
  summary: "Set what the caller's profile says in custom fields",
  auth: 'user',
  parameters: { data: json(z.array(valueSchema)) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { data }) {
    const values = data.map(({ id: fieldId, value }) =>
      typeof value === 'string' ? { fieldId, text: value, userIds: null } : { fieldId, userIds: { ids: value } },
    );
    await services.realm.setProfileValues(call, { values });
    return {};
  },
});
