import type { Group, GroupSetting, SupportedPermission } from '../../store/model';

/** The holders of a permission, in either form of its value. */
export interface Holders {
  userIds: readonly number[];
  groupIds: readonly number[];
}

export function holdersOf(value: GroupSetting): Holders {
  if (typeof value === 'number') return { userIds: [], groupIds: [value] };
  return { userIds: value.direct_members, groupIds: value.direct_subgroups };
}

/** As the API takes it; nobody at all is the group of nobody. */
export function settingOf({ userIds, groupIds }: Holders, nobodyId: number): GroupSetting {
  const real = groupIds.filter((id) => id !== nobodyId);
  if (userIds.length > 0 || real.length > 1) return { direct_members: [...userIds], direct_subgroups: real };
  return real[0] ?? nobodyId;
}

/** Whether a group can have the permission. */
export function canHold(group: Group, permission: SupportedPermission): boolean {
  const { allowed_system_groups: allowed } = permission;
  if (group.deactivated || group.name === 'role:internet') return false;
  if (!group.is_system_group) return !permission.require_system_group;
  if (allowed.length > 0) return allowed.includes(group.name);
  if (group.name === 'role:nobody') return permission.allow_nobody_group;
  return group.name !== 'role:everyone' || permission.allow_everyone_group;
}
