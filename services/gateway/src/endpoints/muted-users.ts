import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { pathId } from '../http/parameters';

export const muteUser = endpoint({
  method: 'POST',
  path: '/users/me/muted_users/{muted_user_id}',
  summary: 'Mute a user',
  auth: 'user',
  parameters: { muted_user_id: pathId() },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, values) {
    await services.realm.muteUser(call, { userId: values.muted_user_id });
    return {};
  },
});

export const unmuteUser = endpoint({
  method: 'DELETE',
  path: '/users/me/muted_users/{muted_user_id}',
  summary: 'Unmute a user',
  auth: 'user',
  parameters: { muted_user_id: pathId() },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, values) {
    await services.realm.unmuteUser(call, { userId: values.muted_user_id });
    return {};
  },
});
