import { GROUP_PERMISSION_SETTINGS, type GroupPermissionName, REALM_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { GroupSetting, GroupSummary } from '@parley/shared/proto';
import type { Actor } from '../actors/actor';
import { mayBy } from '../actors/permissions';
import type { RealmGroupSettings } from '../group-settings/complete-settings';
import { findSystemGroup } from '../membership/system-groups';

/** The facts for membership in a group: the group and its subgroups at any depth. */
interface GroupReach {
  /** Names of the system groups among them. */
  systemGroups: readonly string[];
  /** Whether the user is a direct member of any of the others. */
  isListed: boolean;
}

/** Whether an active user with that role or waiting state is in the system group. */
export function isInSystemGroup(name: string, standing: number): boolean {
  const widestStanding = findSystemGroup(name)?.widestStanding ?? null;
  return widestStanding !== null && standing <= widestStanding;
}

/** Whether an active user with that role or waiting state, and direct membership or not, is in the group. */
export function isInReach({ systemGroups, isListed }: GroupReach, standing: number): boolean {
  return isListed || systemGroups.some((name) => isInSystemGroup(name, standing));
}

/**
 * Whether an active user may mention a group with notifications, given its `can_mention_group`, null for the default. Nobody may mention
 * a system group.
 */
export function mayMention(isSystem: boolean, mentionGroup: GroupReach | null, standing: number): boolean {
  if (isSystem) return false;
  const unset = { systemGroups: [GROUP_PERMISSION_SETTINGS.can_mention_group.default], isListed: false };
  return isInReach(mentionGroup ?? unset, standing);
}

type RealmRights = Pick<RealmGroupSettings, 'can_create_groups' | 'can_manage_all_groups'>;
type GroupRights = Pick<GroupSummary, 'isSystem' | 'settings'>;

export function mayCreateGroups(actor: Actor, realm: RealmRights): boolean {
  return mayBy(actor, realm.can_create_groups, REALM_PERMISSION_SETTINGS.can_create_groups);
}

/** Whether the actor may change everything about the group. System groups cannot be changed. */
export function mayManageGroup(actor: Actor, group: GroupRights, realm: RealmRights): boolean {
  if (group.isSystem) return false;
  return (
    mayBy(actor, realm.can_manage_all_groups, REALM_PERMISSION_SETTINGS.can_manage_all_groups) ||
    mayByGroup(actor, group, 'can_manage_group')
  );
}

/** Whether the actor may add these users, or whole groups, to the group. The right to join covers the actor alone. */
export function mayAddMembers(
  actor: Actor,
  group: GroupRights,
  realm: RealmRights,
  userIds: readonly number[],
): boolean {
  if (group.isSystem) return false;
  const joins = isAlone(actor, userIds) && mayByGroup(actor, group, 'can_join_group');
  return joins || mayByGroup(actor, group, 'can_add_members_group') || mayManageGroup(actor, group, realm);
}

/** Whether the actor may remove these users, or whole groups, from the group. The right to leave covers the actor alone. */
export function mayRemoveMembers(
  actor: Actor,
  group: GroupRights,
  realm: RealmRights,
  userIds: readonly number[],
): boolean {
  if (group.isSystem) return false;
  const leaves = isAlone(actor, userIds) && mayByGroup(actor, group, 'can_leave_group');
  return leaves || mayByGroup(actor, group, 'can_remove_members_group') || mayManageGroup(actor, group, realm);
}

function mayByGroup(actor: Actor, { settings }: GroupRights, name: GroupPermissionName): boolean {
  return mayBy(actor, settings[name] as GroupSetting, GROUP_PERMISSION_SETTINGS[name]);
}

function isAlone({ user }: Actor, userIds: readonly number[]): boolean {
  return userIds.length === 1 && userIds[0] === user.id;
}
