import type { GroupPermissionName, RealmPermissionName, SystemGroupName } from '../access';
import type { GroupSetting, GroupSummary } from '../proto';
import { toSeconds } from '../values';

/** The value of a group permission in the API: the id of a named group, or the members of an anonymous one. */
export type PublicGroupSetting = number | { direct_members: number[]; direct_subgroups: number[] };

/** Converts a group-setting value to the API's form; for POST /register and events. */
export function publicGroupSetting({ groupId, directMemberIds, directSubgroupIds }: GroupSetting): PublicGroupSetting {
  return groupId ?? { direct_members: directMemberIds, direct_subgroups: directSubgroupIds };
}

/** Several settings by name, see publicGroupSetting. */
export function publicGroupSettings<Name extends string>(
  settings: Readonly<Record<Name, GroupSetting>>,
): Record<Name, PublicGroupSetting> {
  const shown = {} as Record<Name, PublicGroupSetting>;
  for (const name in settings) shown[name] = publicGroupSetting(settings[name]);
  return shown;
}

/** The API's object of a named user group; for GET /user_groups, POST /register and events. */
export function publicGroup(group: GroupSummary) {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    date_created: toSeconds(group.createdAtMs),
    creator_id: group.creatorId ?? null,
    members: group.memberIds,
    direct_subgroup_ids: group.directSubgroupIds,
    is_system_group: group.isSystem,
    deactivated: group.isDeactivated,
    ...publicGroupSettings(group.settings as Record<GroupPermissionName, GroupSetting>),
  };
}

/** For older clients, the right to create channels as a number for each role. */
const CREATE_POLICIES: Partial<Record<SystemGroupName, number>> = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
  'role:nobody': 6,
  'role:owners': 7,
};
const ADMINISTRATORS_CREATE = 2;

/** The right to mention everybody at once: other numbers. */
const MENTION_POLICIES: Partial<Record<SystemGroupName, number>> = {
  'role:everyone': 1,
  'role:members': 2,
  'role:fullmembers': 3,
  'role:administrators': 5,
  'role:nobody': 6,
  'role:moderators': 7,
};
const ADMINISTRATORS_MENTION = 5;

/**
 * The numbers that older clients know instead of group settings, by their names in events: the closest ones. If none fits,
 * because other groups have the permission, it is that of administrators. For POST /register and events.
 */
export function formerPolicies(
  settings: Readonly<Record<RealmPermissionName, GroupSetting>>,
  systemGroupIds: Readonly<Record<string, number>>,
) {
  const names = new Map(Object.entries(systemGroupIds).map(([name, id]) => [id, name]));
  const groupOf = (name: RealmPermissionName) => names.get(settings[name].groupId ?? 0) as SystemGroupName;
  const createPolicy = (name: RealmPermissionName) => CREATE_POLICIES[groupOf(name)] ?? ADMINISTRATORS_CREATE;
  return {
    create_public_stream_policy: createPolicy('can_create_public_channel_group'),
    create_private_stream_policy: createPolicy('can_create_private_channel_group'),
    create_web_public_stream_policy: createPolicy('can_create_web_public_channel_group'),
    wildcard_mention_policy: MENTION_POLICIES[groupOf('can_mention_many_users_group')] ?? ADMINISTRATORS_MENTION,
  };
}
