import { endpoint } from '../../http/endpoint';
import { ownUser, ownUserSchema } from '../../wire/own-user';

export const getOwnUser = endpoint({
  method: 'GET',
  path: '/users/me',
  summary: "Get the caller's own account",
  auth: 'user',
  parameters: {},
  result: ownUserSchema,
  errors: [],
  async handler({ services }, { call }) {
    const [user, { maxMessageId }] = await Promise.all([
      services.realm.getOwnUser(call, {}),
      services.messages.getMessageState(call, {}),
    ]);
    return ownUser(user, maxMessageId);
  },
});
