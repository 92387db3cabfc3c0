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

/** The owner of the settings. */
interface SettingsOwner {
  /** Its creator; null: the system, or an inactive user. */
  creatorId: number | null;
  systemGroupIds: SystemGroupIds;
}

/** All settings of a catalogue, normalized: explicit values or defaults. */
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

/** All settings of a catalogue with the empty group: those of a system group. */
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

/** Announces the organization's permissions to older clients, which know them as numbers, if a number has changed. */
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

/** All permissions of the organization, normalized. */
export async function loadRealmGroupSettings(sql: Sql, realmId: number): Promise<RealmGroupSettings> {
  const systemGroupIds = await findSystemGroupIds(sql, realmId);
  const stored = await findRealmSettings(sql, realmId);
  return completeSettings(REALM_PERMISSION_SETTINGS, stored, { creatorId: null, systemGroupIds });
}
