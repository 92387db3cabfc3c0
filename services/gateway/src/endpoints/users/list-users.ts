import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';
import { publicUserWithActivity, userWithActivitySchema } from '../../wire/user';
import { userViewParameters } from './user-parameters';

export const listUsers = endpoint({
  method: 'GET',
  path: '/users',
  summary: 'List the people and bots of the organization, deactivated ones included',
  auth: 'user',
  parameters: {
    ...userViewParameters,
    user_ids: json(z.array(z.int()).optional().describe('Absent: everybody.')),
  },
  result: z.strictObject({ members: z.array(userWithActivitySchema) }),
  errors: [],
  async handler({ services }, { call }, values) {
    const { client_gravatar: clientGravatar, include_custom_profile_fields: includesProfiles } = values;
    const { viewerRole, users, profiles } = await services.realm.listUsers(call, {
      userIds: values.user_ids ?? [],
      hasUserIds: values.user_ids !== undefined,
      includesProfiles,
    });
    const viewer = { userId: call.userId, role: viewerRole };
    const profilesByUser = new Map(profiles.map((profile) => [profile.userId, profile.values]));
    const profileOf = (userId: number) => (includesProfiles ? (profilesByUser.get(userId) ?? []) : null);
    return { members: users.map((user) => publicUserWithActivity(user, viewer, clientGravatar, profileOf(user.id))) };
  },
});
