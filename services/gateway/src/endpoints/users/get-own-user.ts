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
    const [user, { profiles }, { maxMessageId }] = await Promise.all([
      services.realm.getOwnUser(call, {}),
      services.realm.getUserProfiles(call, { userIds: [call.userId] }),
      services.messages.getMessageState(call, {
        includesUnread: false,
        includesStarred: false,
        includesRecentDirects: false,
      }),
    ]);
    return ownUser(user, profiles[0]?.values ?? [], maxMessageId);
  },
});
