import type { Sql } from '@parley/shared/db';
import { ExpectationMismatchError } from '@parley/shared/errors';
import type { GroupSetting, GroupSettingChange } from '@parley/shared/proto';
import type { Catalogue, GroupSettings } from './complete-settings';
import { isSameGroupSetting, normalizeGroupSetting } from './group-setting';
import { findSystemGroupIds } from './group-settings.sql';
import { readGroupSettings } from './read-group-settings';

/**
 * The values that `{new, old}` updates really change, normalized and checked like those of readGroupSettings; the caller stores
 * them. Refuses an `old` that is not the present value even where nothing would change.
 */
export async function changeGroupSettings<Name extends string>(
  sql: Sql,
  realmId: number,
  catalogue: Catalogue<Name>,
  present: GroupSettings<Name>,
  changes: Readonly<Partial<Record<string, GroupSettingChange>>>,
): Promise<Partial<GroupSettings<Name>>> {
  if (Object.keys(changes).length === 0) return {};
  const { 'role:nobody': nobodyId } = await findSystemGroupIds(sql, realmId);
  const isPresent = (name: Name, value: GroupSetting) =>
    isSameGroupSetting(normalizeGroupSetting(value, nobodyId), present[name]);
  const wanted: Partial<Record<string, GroupSetting>> = {};
  for (const name of Object.keys(catalogue) as Name[]) {
    const { old: expected = null, new: value = null } = changes[name] ?? {};
    if (expected !== null && !isPresent(name, expected)) throw new ExpectationMismatchError();
    if (value !== null && !isPresent(name, value)) wanted[name] = value;
  }
  return readGroupSettings(sql, realmId, catalogue, wanted);
}
