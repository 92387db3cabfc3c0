import type { ChannelPermissionName, GroupPermissionName, RealmPermissionName } from '@parley/shared/access';
import type { GroupSetting } from '@parley/shared/proto';

/** The value that a named group is. */
export function namedGroup(groupId: number): GroupSetting {
  return { groupId, directMemberIds: [], directSubgroupIds: [] };
}

/**
 * The one form of a value: ids sorted, each once; an anonymous group of one group alone is that group, an empty one is
 * `role:nobody`.
 */
export function normalizeGroupSetting(value: GroupSetting, nobodyId: number): GroupSetting {
  if (value.groupId !== undefined) return namedGroup(value.groupId);
  const directMemberIds = sortedSet(value.directMemberIds);
  const directSubgroupIds = sortedSet(value.directSubgroupIds);
  if (directMemberIds.length > 0 || directSubgroupIds.length > 1) return { directMemberIds, directSubgroupIds };
  return namedGroup(directSubgroupIds[0] ?? nobodyId);
}

/** Whether two normalized values are one. */
export function isSameGroupSetting(a: GroupSetting, b: GroupSetting): boolean {
  return (
    a.groupId === b.groupId &&
    isSameList(a.directMemberIds, b.directMemberIds) &&
    isSameList(a.directSubgroupIds, b.directSubgroupIds)
  );
}

function sortedSet(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

function isSameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}

/** One setting of an organization, a channel or a user group. */
export type SettingPlace =
  | { of: 'realm'; name: RealmPermissionName }
  | { of: 'channel'; channelId: number; name: ChannelPermissionName }
  | { of: 'group'; groupId: number; name: GroupPermissionName };

/** The one setting that lies in its channel's own row, as sending reads it. */
export const SEND_SETTING = 'can_send_message_group' satisfies ChannelPermissionName;
