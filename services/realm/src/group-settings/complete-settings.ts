import {
  type PermissionSetting,
  REALM_PERMISSION_SETTINGS,
  type RealmPermissionName,
  type SystemGroupName,
} from '@parley/shared/access';
import type { Sql, Transaction } from '@parley/shared/db';
import { type DomainEvent, realmPropertyChanged } from '@parley/shared/events';
import type { GroupSetting } from '@parley/shared/proto';
import { formerPolicies } from '@parley/shared/wire';
import { namedGroup, normalizeGroupSetting } from './group-setting';
import { findRealmSettings, findSystemGroupIds } from './group-settings.sql';

export type SystemGroupIds = Readonly<Record<SystemGroupName, number>>;

export type Catalogue<Name extends string> = Readonly<Record<Name, PermissionSetting>>;

export type GroupSettings<Name extends string> = Record<Name, GroupSetting>;

/** What has the settings. */
interface SettingsOwner {
  /** Who made it; null: the system, or somebody who is not active any more. */
  creatorId: number | null;
  systemGroupIds: SystemGroupIds;
}

/** Every setting of a catalogue, normalized: as stored, or else its default. */
export function completeSettings<Name extends string>(
  catalogue: Catalogue<Name>,
  stored: Readonly<Partial<Record<string, GroupSetting>>>,
  owner: SettingsOwner,
): GroupSettings<Name> {
  const nobodyId = owner.systemGroupIds['role:nobody'];
  const settings = {} as GroupSettings<Name>;
  for (const name in catalogue) {
    const value = stored[name];
    settings[name] =
      value === undefined ? defaultValue(catalogue[name], owner) : normalizeGroupSetting(value, nobodyId);
  }
  return settings;
}

/** Every setting of a catalogue given to nobody: those of a system group. */
export function settingsOfNobody<Name extends string>(
  catalogue: Catalogue<Name>,
  systemGroupIds: SystemGroupIds,
): GroupSettings<Name> {
  const nobody = namedGroup(systemGroupIds['role:nobody']);
  return Object.fromEntries(Object.keys(catalogue).map((name) => [name, nobody])) as GroupSettings<Name>;
}

function defaultValue(entry: PermissionSetting, { creatorId, systemGroupIds }: SettingsOwner): GroupSetting {
  if (entry.default !== 'creator') return namedGroup(systemGroupIds[entry.default]);
  if (creatorId === null) return namedGroup(systemGroupIds['role:nobody']);
  return { directMemberIds: [creatorId], directSubgroupIds: [] };
}

/** Tells older clients of the organization's permissions that they know as numbers, where the number is another than before. */
export async function formerPolicyEvents(
  tx: Transaction,
  realmId: number,
  before: RealmGroupSettings,
  after: RealmGroupSettings,
): Promise<DomainEvent[]> {
  const systemGroupIds = await findSystemGroupIds(tx, realmId);
  const former: Readonly<Record<string, number>> = formerPolicies(before, systemGroupIds);
  return Object.entries(formerPolicies(after, systemGroupIds))
    .filter(([name, value]) => value !== former[name])
    .map(([name, value]) => realmPropertyChanged(realmId, { name, value }));
}

export type RealmGroupSettings = GroupSettings<RealmPermissionName>;

/** Who may do what in the organization: every setting, normalized. */
export async function loadRealmGroupSettings(sql: Sql, realmId: number): Promise<RealmGroupSettings> {
  const systemGroupIds = await findSystemGroupIds(sql, realmId);
  const stored = await findRealmSettings(sql, realmId);
  return completeSettings(REALM_PERMISSION_SETTINGS, stored, { creatorId: null, systemGroupIds });
}
