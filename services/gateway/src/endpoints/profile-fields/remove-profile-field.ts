import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const removeProfileField = endpoint({
  method: 'DELETE',
  path: '/realm/profile_fields/{field_id}',
  summary: "Remove a custom field, and everybody's value of it",
  auth: 'user',
  parameters: { field_id: pathId() },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { field_id: id }) {
    await services.realm.removeProfileField(call, { id });
    return {};
  },
});
