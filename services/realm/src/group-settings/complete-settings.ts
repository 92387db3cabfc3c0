import type { PermissionSetting, SystemGroupName } from '@parley/shared/access';
import type { GroupSetting } from '@parley/shared/proto';
import { namedGroup, normalizeGroupSetting } from './group-setting';

export type SystemGroupIds = Readonly<Record<SystemGroupName, number>>;

export type Catalogue<Name extends string> = Readonly<Record<Name, PermissionSetting>>;

export type GroupSettings<Name extends string> = Record<Name, GroupSetting>;

/** What has the settings. */
export interface SettingsOwner {
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
