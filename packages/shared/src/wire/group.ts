import type { GroupPermissionName } from '../access';
import type { GroupSetting, GroupSummary } from '../proto';
import { toSeconds } from '../values';

/** To whom a permission is given, as a client sees it: the id of a named group, or what an anonymous one holds. */
export type PublicGroupSetting = number | { direct_members: number[]; direct_subgroups: number[] };

/** A group-setting value in the public dialect; called for POST /register and for events. */
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

/** A named user group in the public dialect; called for GET /user_groups, POST /register and events. */
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
