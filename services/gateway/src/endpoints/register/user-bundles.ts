import type { GroupSummary, OwnRights, RegisterState, User } from '@parley/shared/proto';
import { isAdministrator, isGuest, ROLES, unknownUser } from '@parley/shared/values';
import { mediumAvatarUrl, publicBot, publicGroup } from '@parley/shared/wire';
import { z } from 'zod';
import { JsonPieces } from '../../http/json-pieces';
import { usersSeenBy } from '../../shared-state/lists-for-caller';
import { groupSchema } from '../../wire/groups';
import { botSchema, ownAvatarUrl, publicUser, userSchema } from '../../wire/users';
import { bundle, type RegisterView } from './bundle';

/** All users, and the caller's own account. */
export const realmUserBundle = bundle({
  type: 'realm_user',
  fields: {
    realm_users: z.array(userSchema),
    realm_non_active_users: z.array(userSchema),
    cross_realm_bots: z.array(userSchema).describe("The service's own bots, which no other list has."),
    user_id: z.int(),
    email: z.string(),
    delivery_email: z.string(),
    full_name: z.string(),
    is_owner: z.boolean(),
    is_admin: z.boolean(),
    is_moderator: z.boolean(),
    is_guest: z.boolean(),
    avatar_source: z.string(),
    avatar_url: z.string(),
    avatar_url_medium: z.string(),
    can_create_streams: z.boolean().describe('Deprecated: any of the three below.'),
    can_create_public_streams: z.boolean(),
    can_create_private_streams: z.boolean(),
    can_create_web_public_streams: z.boolean(),
    can_subscribe_other_users: z.boolean(),
    can_invite_others_to_realm: z.boolean(),
  },
  present(state, view) {
    const own = state.ownUser as User;
    return { ...userLists(state, own, view), ...ownAccount(own), ...publicRights(state.ownRights as OwnRights) };
  },
});

function userLists(state: RegisterState, own: User, { shared, clientGravatar, capabilities }: RegisterView) {
  if (shared?.userLists) {
    const { users, nonActiveUsers, systemBots } = shared.userLists;
    return {
      realm_users: usersSeenBy(own, users),
      realm_non_active_users: JsonPieces.shared([nonActiveUsers as Buffer]),
      cross_realm_bots: JsonPieces.shared([systemBots as Buffer]),
    };
  }
  const viewer = { userId: own.id, role: own.role };
  const profiles = new Map(state.lists?.profiles.map(({ userId, values }) => [userId, values]));
  const present = (users: User[]) =>
    users.map((user) => publicUser(user, viewer, clientGravatar, profiles.get(user.id)));
  const unknown = capabilities.has('user_list_incomplete') ? [] : unknownUsers(state, own);
  const everybody = [...state.users, ...unknown].sort((a, b) => a.id - b.id);
  const users = everybody.filter(({ isSystemBot }) => !isSystemBot);
  return {
    realm_users: present(users.filter(({ isActive }) => isActive)),
    realm_non_active_users: present(users.filter(({ isActive }) => !isActive)),
    cross_realm_bots: present(everybody.filter(({ isSystemBot }) => isSystemBot)),
  };
}

/** Placeholders for users that the caller cannot see. */
function unknownUsers({ unknownUserIds }: RegisterState, { realmId }: User): User[] {
  return unknownUserIds.map((userId) => unknownUser(realmId, userId));
}

function ownAccount(own: User) {
  return {
    user_id: own.id,
    email: own.email,
    delivery_email: own.deliveryEmail,
    full_name: own.fullName,
    is_owner: own.role === ROLES.owner,
    is_admin: isAdministrator(own.role),
    is_moderator: own.role <= ROLES.moderator,
    is_guest: isGuest(own.role),
    avatar_source: own.avatarSource,
    avatar_url: ownAvatarUrl(own),
    avatar_url_medium: mediumAvatarUrl(own),
  };
}

function publicRights(rights: OwnRights) {
  const { mayCreatePublicChannels, mayCreatePrivateChannels, mayCreateWebPublicChannels } = rights;
  return {
    can_create_streams: mayCreatePublicChannels || mayCreatePrivateChannels || mayCreateWebPublicChannels,
    can_create_public_streams: mayCreatePublicChannels,
    can_create_private_streams: mayCreatePrivateChannels,
    can_create_web_public_streams: mayCreateWebPublicChannels,
    can_subscribe_other_users: rights.maySubscribeOthers,
    can_invite_others_to_realm: rights.mayInviteOthers,
  };
}

export const userGroupsBundle = bundle({
  type: 'realm_user_groups',
  fields: { realm_user_groups: z.array(groupSchema) },
  present({ groups }, { shared, capabilities }) {
    if (shared?.groups) return { realm_user_groups: JsonPieces.shared([shared.groups]) };
    const isShown = ({ isDeactivated }: GroupSummary) =>
      !isDeactivated || capabilities.has('include_deactivated_groups');
    return { realm_user_groups: groups.filter(isShown).map(publicGroup) };
  },
});

const botsBundle = bundle({
  type: 'realm_bot',
  fields: { realm_bots: z.array(botSchema).describe('Those that the caller manages, deactivated ones included.') },
  present: ({ bots }, { shared }) => ({ realm_bots: shared ? new JsonPieces([shared.bots]) : bots.map(publicBot) }),
});

const embeddedBotsBundle = bundle({
  type: 'realm_embedded_bots',
  fields: { realm_embedded_bots: z.array(z.never()).describe('None run inside this server.') },
  present: () => ({ realm_embedded_bots: [] }),
});

const incomingWebhookBotsBundle = bundle({
  type: 'realm_incoming_webhook_bots',
  fields: { realm_incoming_webhook_bots: z.array(z.never()).describe('There are no integrations by name.') },
  present: () => ({ realm_incoming_webhook_bots: [] }),
});

const videoCallsBundle = bundle({
  type: 'video_calls',
  fields: { has_zoom_token: z.boolean().describe('Always false: Zoom is not configured.') },
  present: () => ({ has_zoom_token: false }),
});

const deviceSchema = z.strictObject({
  push_key_id: z.null(),
  push_token_id: z.null(),
  pending_push_token_id: z.null(),
  push_token_last_updated_timestamp: z.null(),
  push_registration_error_code: z.null(),
});

/** A device without notifications. */
const UNREGISTERED: z.infer<typeof deviceSchema> = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

/** COMPAT(level 468): the former name of `device`. */
const pushDevicesBundle = bundle({
  type: 'push_device',
  fields: { push_devices: z.record(z.string(), z.never()).describe('Always empty: no service carries notifications.') },
  present: () => ({ push_devices: {} }),
});

const devicesBundle = bundle({
  type: 'device',
  fields: {
    devices: z.record(z.string(), deviceSchema).describe("The caller's, by id; no service carries notifications."),
  },
  present: (state) => ({
    devices: Object.fromEntries((state.personal?.clientDeviceIds ?? []).map((id) => [String(id), UNREGISTERED])),
  }),
});

/** Bots, and the caller's connected external accounts. */
export const botBundles = [
  botsBundle,
  embeddedBotsBundle,
  incomingWebhookBotsBundle,
  videoCallsBundle,
  pushDevicesBundle,
  devicesBundle,
];

/** All of their fields. */
export const botFields = {
  ...botsBundle.fields,
  ...embeddedBotsBundle.fields,
  ...incomingWebhookBotsBundle.fields,
  ...videoCallsBundle.fields,
  ...pushDevicesBundle.fields,
  ...devicesBundle.fields,
};
