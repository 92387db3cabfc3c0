import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathText } from '../../http/parameters';
import { sentChanges, userChangeParameters } from './user-changes';

export const updateUserByEmail = endpoint({
  method: 'PATCH',
  path: '/users/{email}',
  summary: "Change a user's role, name, profile or address, by the present address; for administrators",
  auth: 'user',
  parameters: { email: pathText(), ...userChangeParameters },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { email, ...values }) {
    await services.realm.updateUser(call, { user: { email }, ...sentChanges(values) });
    return {};
  },
});
