import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';
import { sentChanges, userChangeParameters } from './user-changes';

export const updateUser = endpoint({
  method: 'PATCH',
  path: '/users/{user_id}',
  summary: "Change a user's role, name, profile or address; for administrators",
  auth: 'user',
  parameters: { user_id: pathId(), ...userChangeParameters },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { user_id: id, ...values }) {
    await services.realm.updateUser(call, { user: { id }, ...sentChanges(values) });
    return {};
  },
});
