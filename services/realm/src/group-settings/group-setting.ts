import type { ChannelPermissionName, GroupPermissionName, RealmPermissionName } from '@parley/shared/access';
import type { GroupSetting } from '@parley/shared/proto';

/** A named group as a value. */
export function namedGroup(groupId: number): GroupSetting {
  return { groupId, directMemberIds: [], directSubgroupIds: [] };
}

/**
 * The canonical form of a value: ids sorted and distinct; an anonymous group of one group alone is that group, an empty one is
 * `role:nobody`.
 */
export function normalizeGroupSetting(value: GroupSetting, nobodyId: number): GroupSetting {
  if (value.groupId !== undefined) return namedGroup(value.groupId);
  const directMemberIds = sortedSet(value.directMemberIds);
  const directSubgroupIds = sortedSet(value.directSubgroupIds);
  if (directMemberIds.length > 0 || directSubgroupIds.length > 1) return { directMemberIds, directSubgroupIds };
  return namedGroup(directSubgroupIds[0] ?? nobodyId);
}

/** Whether two normalized values are equal. */
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

/** The location of a setting: an organization, a channel or a user group. */
export type SettingPlace =
  | { of: 'realm'; name: RealmPermissionName }
  | { of: 'channel'; channelId: number; name: ChannelPermissionName }
  | { of: 'group'; groupId: number; name: GroupPermissionName };

/** The setting stored in the channel's own row, where sending reads it. */
export const SEND_SETTING = 'can_send_message_group' satisfies ChannelPermissionName;
