import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const reactivateUser = endpoint({
  method: 'POST',
  path: '/users/{user_id}/reactivate',
  summary: "Take a person's or a bot's account into use again; for administrators and owners of bots",
  auth: 'user',
  parameters: { user_id: pathId() },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { user_id: userId }) {
    await services.realm.reactivateUser(call, { userId });
    return {};
  },
});
