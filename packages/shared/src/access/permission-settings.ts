/** The groups of every organization; their members follow from the users' roles. */
export const SYSTEM_GROUP_NAMES = [
  'role:internet',
  'role:everyone',
  'role:members',
  'role:fullmembers',
  'role:moderators',
  'role:administrators',
  'role:owners',
  'role:nobody',
] as const;

export type SystemGroupName = (typeof SYSTEM_GROUP_NAMES)[number];

/** The groups to which a permission can be granted, and its default. */
export interface PermissionSetting {
  /** `creator`: the person who created the channel or group; empty when the system created it. */
  default: SystemGroupName | 'creator';
  allowsNobody: boolean;
  /** False: guests are refused, whatever group they are in. */
  allowsEveryone: boolean;
  requiresSystemGroup: boolean;
  /** If not empty: the only permitted system groups. */
  allowedSystemGroups: readonly SystemGroupName[];
}

function heldBy(group: PermissionSetting['default'], exceptions: Partial<PermissionSetting> = {}): PermissionSetting {
  return {
    default: group,
    allowsNobody: true,
    allowsEveryone: false,
    requiresSystemGroup: false,
    allowedSystemGroups: [],
    ...exceptions,
  };
}

const EVERYONE_TOO = { allowsEveryone: true };

/** Permissions of an organization, by their names in the API. */
export const REALM_PERMISSION_SETTINGS = {
  can_access_all_users_group: heldBy('role:everyone', {
    allowsNobody: false,
    allowsEveryone: true,
    requiresSystemGroup: true,
    allowedSystemGroups: ['role:everyone', 'role:members'],
  }),
  can_add_custom_emoji_group: heldBy('role:members'),
  can_add_subscribers_group: heldBy('role:members'),
  can_create_bots_group: heldBy('role:members'),
  can_create_groups: heldBy('role:members'),
  can_create_private_channel_group: heldBy('role:members'),
  can_create_public_channel_group: heldBy('role:members'),
  can_create_web_public_channel_group: heldBy('role:owners', {
    requiresSystemGroup: true,
    allowedSystemGroups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  can_create_write_only_bots_group: heldBy('role:members'),
  can_delete_any_message_group: heldBy('role:administrators'),
  can_delete_own_message_group: heldBy('role:everyone', EVERYONE_TOO),
  can_invite_users_group: heldBy('role:members'),
  can_manage_all_groups: heldBy('role:owners', { allowsNobody: false }),
  can_manage_billing_group: heldBy('role:administrators', { allowsNobody: false }),
  can_mention_many_users_group: heldBy('role:administrators', EVERYONE_TOO),
  can_move_messages_between_channels_group: heldBy('role:members'),
  can_move_messages_between_topics_group: heldBy('role:everyone', EVERYONE_TOO),
  can_resolve_topics_group: heldBy('role:everyone', EVERYONE_TOO),
  can_set_delete_message_policy_group: heldBy('role:moderators'),
  can_set_topics_policy_group: heldBy('role:members', EVERYONE_TOO),
  can_summarize_topics_group: heldBy('role:everyone', EVERYONE_TOO),
  create_multiuse_invite_group: heldBy('role:administrators'),
  direct_message_initiator_group: heldBy('role:everyone', EVERYONE_TOO),
  direct_message_permission_group: heldBy('role:everyone', EVERYONE_TOO),
};

/** Permissions of a channel. "Nobody" leaves only users to whom the organization grants it everywhere. */
export const CHANNEL_PERMISSION_SETTINGS = {
  can_add_subscribers_group: heldBy('role:nobody'),
  can_administer_channel_group: heldBy('creator'),
  can_create_topic_group: heldBy('role:everyone', EVERYONE_TOO),
  can_delete_any_message_group: heldBy('role:nobody', EVERYONE_TOO),
  can_delete_own_message_group: heldBy('role:nobody', EVERYONE_TOO),
  can_move_messages_out_of_channel_group: heldBy('role:nobody', EVERYONE_TOO),
  can_move_messages_within_channel_group: heldBy('role:nobody', EVERYONE_TOO),
  can_remove_subscribers_group: heldBy('role:administrators', EVERYONE_TOO),
  can_resolve_topics_group: heldBy('role:nobody', EVERYONE_TOO),
  can_send_message_group: heldBy('role:everyone', EVERYONE_TOO),
  can_subscribe_group: heldBy('role:nobody'),
};

/** Permissions of a user group. Those of system groups are empty. */
export const GROUP_PERMISSION_SETTINGS = {
  can_add_members_group: heldBy('creator'),
  can_join_group: heldBy('role:nobody'),
  can_leave_group: heldBy('role:everyone', EVERYONE_TOO),
  can_manage_group: heldBy('creator'),
  can_mention_group: heldBy('role:everyone', EVERYONE_TOO),
  can_remove_members_group: heldBy('role:nobody'),
};

/** All permission settings, by the kind of object that has them. */
export const PERMISSION_SETTINGS = {
  realm: REALM_PERMISSION_SETTINGS,
  channel: CHANNEL_PERMISSION_SETTINGS,
  group: GROUP_PERMISSION_SETTINGS,
};

export type RealmPermissionName = keyof typeof REALM_PERMISSION_SETTINGS;
export type ChannelPermissionName = keyof typeof CHANNEL_PERMISSION_SETTINGS;
export type GroupPermissionName = keyof typeof GROUP_PERMISSION_SETTINGS;

/** Labels of the system groups for people. */
export const SYSTEM_GROUP_LABELS: Readonly<Record<SystemGroupName, string>> = {
  'role:internet': 'Everyone on the internet',
  'role:everyone': 'Everyone',
  'role:members': 'Members',
  'role:fullmembers': 'Full members',
  'role:moderators': 'Moderators',
  'role:administrators': 'Administrators',
  'role:owners': 'Owners',
  'role:nobody': 'Nobody',
};
