import type { PermissionSetting } from '@parley/shared/settings';
import type { Group, GroupSetting } from '../../store/settings-state';

/** A permission's people and groups, whichever way it is written. */
export interface Holders {
  userIds: readonly number[];
  groupIds: readonly number[];
}

export function holdersOf(value: GroupSetting): Holders {
  if (typeof value === 'number') return { userIds: [], groupIds: [value] };
  return { userIds: value.direct_members, groupIds: value.direct_subgroups };
}

/** As the API takes it: one group by its id, anything else by its members; nobody at all is the group of nobody. */
export function groupSettingOf({ userIds, groupIds }: Holders, nobodyId: number | undefined): GroupSetting {
  const real = groupIds.length > 1 || userIds.length > 0 ? groupIds.filter((id) => id !== nobodyId) : groupIds;
  const [groupId] = real;
  if (userIds.length === 0 && real.length === 1 && groupId !== undefined) return groupId;
  if (userIds.length === 0 && real.length === 0 && nobodyId !== undefined) return nobodyId;
  return { direct_members: [...userIds], direct_subgroups: [...real] };
}

/** Whether a group may have the permission. */
export function mayHold(group: Group, setting: PermissionSetting): boolean {
  const { allowsNobody, allowsEveryone, requiresSystemGroup, allowedSystemGroups } = setting;
  if (group.deactivated || group.name === 'role:internet') return false;
  if (!group.is_system_group) return !requiresSystemGroup;
  if (allowedSystemGroups.length > 0) return allowedSystemGroups.some((name) => name === group.name);
  return (allowsNobody || group.name !== 'role:nobody') && (allowsEveryone || group.name !== 'role:everyone');
}
