import type { PermissionSetting, SystemGroupName } from '@parley/shared/access';
import type { Sql } from '@parley/shared/db';
import { BadRequestError, SystemGroupRequiredError } from '@parley/shared/errors';
import type { GroupSetting } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { findUsersByIds } from '../accounts/users.sql';
import { possibleIds } from '../base/possible-values';
import type { Catalogue, GroupSettings } from './complete-settings';
import { normalizeGroupSetting } from './group-setting';
import { findSystemGroupIds, holdGroups, type UsableGroup } from './group-settings.sql';

const MAX_IDS = 20_000;

/**
 * The requested values of settings, normalized; refuses the first invalid one, in the catalogue's order. The groups are locked against
 * deactivation until the transaction ends.
 */
export async function readGroupSettings<Name extends string>(
  sql: Sql,
  realmId: number,
  catalogue: Catalogue<Name>,
  wanted: Readonly<Partial<Record<string, GroupSetting>>>,
): Promise<Partial<GroupSettings<Name>>> {
  const { 'role:nobody': nobodyId } = await findSystemGroupIds(sql, realmId);
  const values = Object.entries<PermissionSetting>(catalogue).flatMap(([name, entry]) => {
    const value = wanted[name];
    return value ? [{ name, entry, value: normalizeGroupSetting(value, nobodyId) }] : [];
  });
  const facts = await gatherFacts(
    sql,
    realmId,
    values.map(({ value }) => value),
  );
  for (const { name, entry, value } of values) checkGroupSetting(name, entry, value, facts);
  return Object.fromEntries(values.map(({ name, value }) => [name, value])) as Partial<GroupSettings<Name>>;
}

async function gatherFacts(sql: Sql, realmId: number, values: readonly GroupSetting[]): Promise<SettingFacts> {
  const groupIds = values.flatMap(({ groupId, directSubgroupIds }) => [groupId ?? [], directSubgroupIds].flat());
  const userIds = values.flatMap(({ directMemberIds }) => directMemberIds);
  if (groupIds.length + userIds.length > MAX_IDS) throw new BadRequestError(`Too many ids (limit: ${MAX_IDS})`);
  const groups = await holdGroups(sql, realmId, possibleIds(groupIds));
  const users = userIds.length === 0 ? [] : await findUsersByIds(sql, realmId, possibleIds(userIds));
  return {
    groups: new Map(groups.map((group) => [group.id, group])),
    activeUserIds: new Set(users.filter(({ isActive, isSystemBot }) => isActive && !isSystemBot).map(({ id }) => id)),
  };
}

const NEVER_INSIDE: readonly string[] = ['role:internet', 'role:nobody'] satisfies SystemGroupName[];

/** The existing users and groups that values name. */
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
  if (!group) throw new BadRequestError(REFUSAL.groups.unknown);
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
    // SPEC-GAP: existing servers differ here. A union of nobody and others would be misread, and visitors without an account are in no
    // group.
    if (group.isSystem && NEVER_INSIDE.includes(group.name)) throw forbidden(name, group.name);
  }
}

function refuseDeactivated({ isDeactivated }: UsableGroup): void {
  if (isDeactivated) throw new BadRequestError(REFUSAL.groups.deactivated);
}

function forbidden(settingName: string, groupName: string): BadRequestError {
  return new BadRequestError(`'${settingName}' setting cannot be set to '${groupName}' group.`);
}
