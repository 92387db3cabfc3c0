import { z } from 'zod';
import { endpoint } from '../../http/endpoint';

export const deactivateOwnUser = endpoint({
  method: 'DELETE',
  path: '/users/me',
  summary: "Take the caller's own account out of use",
  auth: 'user',
  parameters: {},
  result: z.strictObject({}),
  errors: ['CANNOT_DEACTIVATE_LAST_USER'],
  async handler({ services }, { call }) {
    await services.realm.deactivateOwnUser(call, {});
    return {};
  },
});
