import type { PermissionSetting } from '@parley/shared/access';
import type { GroupSetting } from '@parley/shared/proto';
import { isGuest } from '@parley/shared/values';
import type { Actor } from './actor';

/** Is the actor in the group, directly or not? Deactivated users are in none. */
export function isInGroup({ user, groupIds }: Actor, groupId: number): boolean {
  return user.isActive && groupIds.has(groupId);
}

/**
 * May the actor do what the setting, of that value, permits? Guests may not where not everyone can be allowed to, whatever groups
 * they are in. Where nobody is allowed to, owners are not either.
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
