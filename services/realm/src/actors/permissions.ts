import type { PermissionSetting } from '@parley/shared/access';
import type { GroupSetting } from '@parley/shared/proto';
import { isGuest } from '@parley/shared/values';
import type { Actor } from './actor';

/** Whether the actor is in the group, directly or not; deactivated users are in no group. */
export function isInGroup({ user, groupIds }: Actor, groupId: number): boolean {
  return user.isActive && groupIds.has(groupId);
}

/**
 * Whether a permission with this value allows the actor. Guests are excluded if the setting cannot be granted to everyone, whatever
 * groups they are in. A value of nobody excludes owners, too.
 */
export function mayBy(actor: Actor, value: GroupSetting, { allowsEveryone }: PermissionSetting): boolean {
  if (!actor.user.isActive) return false;
  if (isGuest(actor.user.role) && !allowsEveryone) return false;
  if (value.groupId !== undefined) return isInGroup(actor, value.groupId);
  return (
    value.directMemberIds.includes(actor.user.id) ||
    value.directSubgroupIds.some((groupId) => isInGroup(actor, groupId))
  );
}
