import type { PermissionSetting } from '@parley/shared/access';
import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { GroupSetting } from '@parley/shared/proto';
import { possibleIds } from '../possible-values';
import { findUsersByIds } from '../users/users.sql';
import { checkGroupSetting, type SettingFacts } from './check-group-setting';
import type { Catalogue, GroupSettings } from './complete-settings';
import { normalizeGroupSetting } from './group-setting';
import { findSystemGroupIds, holdGroups } from './group-settings.sql';

const MAX_IDS = 20_000;

/**
 * The values that a request gives to settings, normalized; refuses the first that its setting cannot have, in the catalogue's
 * order. The groups named stay in use until the transaction ends.
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
