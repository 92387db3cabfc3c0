import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';
import { sentStatus, statusParameters } from './status-parameters';

export const updateUserStatus = endpoint({
  method: 'POST',
  path: '/users/{user_id}/status',
  summary: "Set a user's status; for administrators",
  auth: 'user',
  parameters: { user_id: pathId(), ...statusParameters },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { user_id: userId, ...values }) {
    await services.realm.updateUserStatus(call, { userId, ...sentStatus(values) });
    return {};
  },
});
