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
  /** Whether the user was put into one of the others. */
  isListed: boolean;
}

/** Is someone of that standing in the system group? Holds for active users only. */
export function isInSystemGroup(name: string, standing: number): boolean {
  const widestStanding = findSystemGroup(name)?.widestStanding ?? null;
  return widestStanding !== null && standing <= widestStanding;
}

/** Is someone of that standing, and listed or not, in the group? Holds for active users only. */
export function isInReach({ systemGroups, isListed }: GroupReach, standing: number): boolean {
  return isListed || systemGroups.some((name) => isInSystemGroup(name, standing));
}

/**
 * May someone of that standing mention a group, not silently, given its `can_mention_group`, if that was set? Holds for active users
 * only. Nobody may mention a system group.
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

/** May the actor change everything about the group? System groups are what they are. */
export function mayManageGroup(actor: Actor, group: GroupRights, realm: RealmRights): boolean {
  if (group.isSystem) return false;
  return (
    mayBy(actor, realm.can_manage_all_groups, REALM_PERMISSION_SETTINGS.can_manage_all_groups) ||
    mayByGroup(actor, group, 'can_manage_group')
  );
}

/** May the actor put these users, or whole groups, into the group? Whoever may join puts in themselves alone. */
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

/** May the actor put these users, or whole groups, out of the group? Whoever may leave puts out themselves alone. */
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
