import { isGuest } from '@parley/shared/values';
import { z } from 'zod';
import type { Context } from '../../context';
import { endpoint, type UserRequest, type Values } from '../../http/endpoint';
import type { JsonPieces } from '../../http/json-pieces';
import { json } from '../../http/parameters';
import { usersSeenBy } from '../../wire/register-state/shared-parts';
import { publicUserWithActivity, userWithActivitySchema } from '../../wire/user';
import { userViewParameters } from './user-parameters';

const parameters = {
  ...userViewParameters,
  user_ids: json(z.array(z.int()).optional().describe('Absent: everybody.')),
};

export const listUsers = endpoint({
  method: 'GET',
  path: '/users',
  summary: 'List the people and bots of the organization, deactivated ones included',
  auth: 'user',
  parameters,
  result: z.strictObject({ members: z.array(userWithActivitySchema) }),
  errors: [],
  async handler(ctx, request, values) {
    // Guests may not know everybody.
    const isShared = values.user_ids === undefined && !isGuest(request.role);
    const members = isShared ? await sharedList(ctx, request, values) : null;
    return { members: members ?? (await ownList(ctx, request, values)) };
  },
});

type Request = Pick<UserRequest, 'call' | 'role'>;
type Parameters = Values<typeof parameters>;

/** What many see alike; null: the caller has another role by now. */
async function sharedList(
  { services, sharedState }: Context,
  { call, role }: Request,
  { client_gravatar: clientGravatar, include_custom_profile_fields: includesProfiles }: Parameters,
): Promise<JsonPieces | null> {
  const view = { viewerRole: role, clientGravatar, includesProfiles, isDivided: false, isForVisitors: false };
  const [{ users }, own] = await Promise.all([sharedState.userLists(call, view), services.realm.getOwnUser(call, {})]);
  return own.role === role ? usersSeenBy(own, users as Buffer) : null;
}

async function ownList({ services }: Context, { call }: Request, values: Parameters) {
  const { client_gravatar: clientGravatar, include_custom_profile_fields: includesProfiles } = values;
  const { viewerRole, users, profiles } = await services.realm.listUsers(call, {
    userIds: values.user_ids ?? [],
    hasUserIds: values.user_ids !== undefined,
    includesProfiles,
  });
  const viewer = { userId: call.userId, role: viewerRole };
  const profilesByUser = new Map(profiles.map((profile) => [profile.userId, profile.values]));
  const profileOf = (userId: number) => (includesProfiles ? (profilesByUser.get(userId) ?? []) : null);
  return users.map((user) => publicUserWithActivity(user, viewer, clientGravatar, profileOf(user.id)));
}
