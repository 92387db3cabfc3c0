import type { PermissionSetting, SystemGroupName } from '@parley/shared/access';
import { BadRequestError, SystemGroupRequiredError } from '@parley/shared/errors';
import type { GroupSetting } from '@parley/shared/proto';
import type { UsableGroup } from './group-settings.sql';

const NEVER_INSIDE: readonly string[] = ['role:internet', 'role:nobody'] satisfies SystemGroupName[];

/** What exists of that which values name. */
export interface SettingFacts {
  groups: ReadonlyMap<number, UsableGroup>;
  activeUserIds: ReadonlySet<number>;
}

/** Refuses a normalized value that the setting cannot have. */
export function checkGroupSetting(
  name: string,
  setting: PermissionSetting,
  value: GroupSetting,
  facts: SettingFacts,
): void {
  if (value.groupId !== undefined) checkNamedGroup(name, setting, facts.groups.get(value.groupId));
  else checkAnonymousGroup(name, setting, value, facts);
}

function checkNamedGroup(name: string, setting: PermissionSetting, group: UsableGroup | undefined): void {
  if (!group) throw new BadRequestError('Invalid user group');
  refuseDeactivated(group);
  if (setting.requiresSystemGroup && !group.isSystem) throw new SystemGroupRequiredError(name);
  if (group.isSystem && !mayBeGivenTo(setting, group.name)) throw forbidden(name, group.name);
}

function mayBeGivenTo(setting: PermissionSetting, groupName: string): boolean {
  if (groupName === 'role:internet') return false;
  if (groupName === 'role:nobody' && !setting.allowsNobody) return false;
  if (groupName === 'role:everyone' && !setting.allowsEveryone) return false;
  const { allowedSystemGroups } = setting;
  return allowedSystemGroups.length === 0 || (allowedSystemGroups as readonly string[]).includes(groupName);
}

function checkAnonymousGroup(name: string, setting: PermissionSetting, value: GroupSetting, facts: SettingFacts): void {
  if (setting.requiresSystemGroup) throw new SystemGroupRequiredError(name);
  for (const userId of value.directMemberIds) {
    if (!facts.activeUserIds.has(userId)) throw new BadRequestError(`Invalid user ID: ${userId}`);
  }
  for (const groupId of value.directSubgroupIds) {
    const group = facts.groups.get(groupId);
    if (!group) throw new BadRequestError(`Invalid user group ID: ${groupId}`);
    refuseDeactivated(group);
    // SPEC-GAP: existing servers differ here. A group of nobody and somebody would read as what it is not, and visitors
    // without an account are in no group.
    if (group.isSystem && NEVER_INSIDE.includes(group.name)) throw forbidden(name, group.name);
  }
}

function refuseDeactivated({ isDeactivated }: UsableGroup): void {
  if (isDeactivated) throw new BadRequestError('User group is deactivated.');
}

function forbidden(settingName: string, groupName: string): BadRequestError {
  return new BadRequestError(`'${settingName}' setting cannot be set to '${groupName}' group.`);
}
