import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';
import { publicUserStatus, userStatusSchema } from '../../wire/user-status';

export const getUserStatus = endpoint({
  method: 'GET',
  path: '/users/{user_id}/status',
  summary: "Get a user's status",
  auth: 'user',
  parameters: { user_id: pathId() },
  result: z.strictObject({ status: userStatusSchema }),
  errors: [],
  async handler({ services }, { call }, values) {
    return { status: publicUserStatus(await services.realm.getUserStatus(call, { userId: values.user_id })) };
  },
});
