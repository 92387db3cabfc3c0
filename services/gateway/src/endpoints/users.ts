import type { NewProfileValue, UpdateUserRequest, User, UserRef } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isGuest, ROLE_VALUES } from '@parley/shared/values';
import { z } from 'zod';
import type { Context } from '../context';
import { endpoint, type UserRequest, type Values } from '../http/endpoint';
import { type JsonPieces, listInSlices } from '../http/json-pieces';
import { json, pathId, pathText, text } from '../http/parameters';
import { usersSeenBy } from '../shared-state/lists-for-caller';
import { ownUser, ownUserSchema, publicUserWithActivity, userWithActivitySchema } from '../wire/users';

/** Parameters for the presentation of users. */
const userViewParameters = {
  client_gravatar: json(z.boolean().default(true).describe('No avatar_url where the client can compute it.')),
  include_custom_profile_fields: json(z.boolean().default(false)),
};

const foundUserSchema = z.strictObject({ user: userWithActivitySchema });

/** One user, as visible to the caller. */
async function findUser(
  { services }: Pick<Context, 'services'>,
  call: Caller,
  named: UserRef,
  view: Values<typeof userViewParameters>,
): Promise<z.infer<typeof foundUserSchema>> {
  const { client_gravatar: clientGravatar, include_custom_profile_fields: includesProfile } = view;
  const { viewerRole, user, profile } = await services.realm.findUser(call, { user: named, includesProfile });
  const viewer = { userId: call.userId, role: viewerRole };
  return { user: publicUserWithActivity(user as User, viewer, clientGravatar, includesProfile ? profile : null) };
}

const listParameters = {
  ...userViewParameters,
  user_ids: json(z.array(z.int()).optional().describe('Absent: everybody.')),
};

export const listUsers = endpoint({
  method: 'GET',
  path: '/users',
  summary: 'List the people and bots of the organization, deactivated ones included',
  auth: 'user',
  parameters: listParameters,
  result: z.strictObject({ members: z.array(userWithActivitySchema) }),
  errors: [],
  async handler(ctx, request, values) {
    // Guests may not see all users.
    const isShared = values.user_ids === undefined && !isGuest(request.role);
    const members = isShared ? await sharedList(ctx, request, values) : null;
    return { members: members ?? (await ownList(ctx, request, values)) };
  },
});

type Request = Pick<UserRequest, 'call' | 'role'>;
type Parameters = Values<typeof listParameters>;

/** The list shared by many callers; null: the caller's role has changed. */
async function sharedList(
  { services, sharedState }: Context,
  { call, role }: Request,
  { client_gravatar: clientGravatar, include_custom_profile_fields: includesProfiles }: Parameters,
): Promise<JsonPieces | null> {
  const view = { viewerRole: role, clientGravatar, includesProfiles, isDivided: false, isForVisitors: false };
  const [{ users }, own] = await Promise.all([sharedState.userLists(call, view), services.realm.getOwnUser(call, {})]);
  return own.role === role ? usersSeenBy(own, users as Buffer) : null;
}

async function ownList({ services }: Context, { call }: Request, values: Parameters): Promise<JsonPieces> {
  const { client_gravatar: clientGravatar, include_custom_profile_fields: includesProfiles } = values;
  const { viewerRole, users, profiles } = await services.realm.listUsers(call, {
    userIds: values.user_ids ?? [],
    hasUserIds: values.user_ids !== undefined,
    includesProfiles,
  });
  const viewer = { userId: call.userId, role: viewerRole };
  const profilesByUser = new Map(profiles.map((profile) => [profile.userId, profile.values]));
  const profileOf = (userId: number) => (includesProfiles ? (profilesByUser.get(userId) ?? []) : null);
  return listInSlices(users, (user) => publicUserWithActivity(user, viewer, clientGravatar, profileOf(user.id)), call);
}

export const getUser = endpoint({
  method: 'GET',
  path: '/users/{user_id}',
  summary: 'Get a user by id',
  auth: 'user',
  parameters: { user_id: pathId(), ...userViewParameters },
  result: foundUserSchema,
  errors: [],
  handler: (ctx, { call }, { user_id: id, ...view }) => findUser(ctx, call, { id }, view),
});

export const getUserByEmail = endpoint({
  method: 'GET',
  path: '/users/{email}',
  summary: 'Get a user by their API e-mail address, or by a real one that the caller may see',
  auth: 'user',
  parameters: { email: pathText(), ...userViewParameters },
  result: foundUserSchema,
  errors: [],
  handler: (ctx, { call }, { email, ...view }) => findUser(ctx, call, { email }, view),
});

export const getOwnUser = endpoint({
  method: 'GET',
  path: '/users/me',
  summary: "Get the caller's own account",
  auth: 'user',
  parameters: {},
  result: ownUserSchema,
  errors: [],
  async handler({ services }, { call }) {
    const { user, profile, received } = await services.realm.getOwnAccount(call, {});
    const { messageId } = await services.messages.findNewestReceived(call, { received });
    return ownUser(user as User, profile, messageId);
  },
});

const profileValueSchema = z.object({
  id: z.int().describe('Of the field.'),
  value: z
    .union([z.string(), z.array(z.int()), z.null()])
    .describe('Ids of users where the field holds people; nothing at all removes what the profile says.'),
});

const isRole = (role: number) => (ROLE_VALUES as readonly number[]).includes(role);

/** Properties of a user that administrators may change. */
const userChangeParameters = {
  full_name: text(z.string().optional()),
  role: json(z.int().refine(isRole, 'Value error, Not in the list of possible values').optional()),
  profile_data: json(z.array(profileValueSchema).optional()),
  new_email: text(z.string().optional()),
};

/** The changes in a request. */
function sentChanges(values: Values<typeof userChangeParameters>): Omit<UpdateUserRequest, 'user'> {
  return {
    ...(values.full_name !== undefined && { fullName: values.full_name }),
    ...(values.role !== undefined && { role: values.role }),
    profileValues: (values.profile_data ?? []).map(sentValue),
    ...(values.new_email !== undefined && { newEmail: values.new_email }),
  };
}

function sentValue({ id: fieldId, value }: z.infer<typeof profileValueSchema>): NewProfileValue {
  if (value === null) return { fieldId, userIds: null };
  return typeof value === 'string' ? { fieldId, text: value, userIds: null } : { fieldId, userIds: { ids: value } };
}

export const addUser = endpoint({
  method: 'POST',
  path: '/users',
  summary: "Make a person's account; for administrators whom the server's operator lets do so",
  auth: 'user',
  parameters: { email: text(z.string()), password: text(z.string()), full_name: text(z.string()) },
  result: z.strictObject({ user_id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { email, password, full_name: fullName }) {
    const { userId } = await services.realm.addUser(call, { email, password, fullName });
    return { user_id: userId };
  },
});

export const updateUser = endpoint({
  method: 'PATCH',
  path: '/users/{user_id}',
  summary: "Change a user's role, name, profile or address; for administrators",
  auth: 'user',
  parameters: { user_id: pathId(), ...userChangeParameters },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { user_id: id, ...values }) {
    await services.realm.updateUser(call, { user: { id }, ...sentChanges(values) });
    return {};
  },
});

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

export const deactivateUser = endpoint({
  method: 'DELETE',
  path: '/users/{user_id}',
  summary: "Take a person's account out of use; for administrators",
  auth: 'user',
  parameters: {
    user_id: pathId(),
    deactivation_notification_comment: text(
      z.string().optional().describe('For the mail that the user gets about it; absent: none is sent.'),
    ),
  },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { user_id: userId, deactivation_notification_comment: comment }) {
    await services.realm.deactivateUser(call, {
      userId,
      ...(comment !== undefined && { notificationComment: comment }),
    });
    return {};
  },
});

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

export const getUserChannels = endpoint({
  method: 'GET',
  path: '/users/{user_id}/channels',
  summary: 'List the channels that a user is subscribed to, as far as the caller may know of them',
  auth: 'user',
  parameters: { user_id: pathId() },
  result: z.strictObject({ subscribed_channel_ids: z.array(z.int()) }),
  errors: [],
  async handler({ services }, { call }, { user_id: userId }) {
    const { channelIds } = await services.realm.listUserChannels(call, { userId });
    return { subscribed_channel_ids: channelIds };
  },
});

export const getSubscriptionStatus = endpoint({
  method: 'GET',
  path: '/users/{user_id}/subscriptions/{stream_id}',
  summary: 'Ask whether a user is subscribed to a channel',
  auth: 'user',
  parameters: { user_id: pathId(), stream_id: pathId() },
  result: z.strictObject({ is_subscribed: z.boolean() }),
  errors: [],
  async handler({ services }, { call }, { user_id: userId, stream_id: channelId }) {
    const { channelIds } = await services.realm.listUserChannels(call, { userId, channelId });
    return { is_subscribed: channelIds.includes(channelId) };
  },
});
