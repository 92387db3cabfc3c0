import type { Sql, Transaction } from '@parley/shared/db';
import { ExpectationMismatchError } from '@parley/shared/errors';
import type { GroupSetting, GroupSettingChange } from '@parley/shared/proto';
import type { Catalogue, GroupSettings } from './complete-settings';
import { isSameGroupSetting, normalizeGroupSetting, type SettingPlace } from './group-setting';
import {
  deleteAnonymousGroup,
  findAnonymousValue,
  findSystemGroupIds,
  insertAnonymousGroup,
  pointToGroup,
  replaceContents,
} from './group-settings.sql';
import { readGroupSettings } from './read-group-settings';

/**
 * The actual changes of `{new, old}` updates, normalized and checked like those of readGroupSettings; the caller stores them. Refuses an
 * outdated `old` even if nothing would change.
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

/**
 * Stores a setting's value, as read by readGroupSettings or changeGroupSettings. An anonymous group belongs to one setting and is deleted
 * when the setting gets a named one. The caller has locked the owner's row.
 */
export async function setGroupSetting(
  tx: Transaction,
  realmId: number,
  place: SettingPlace,
  value: GroupSetting,
  nowMs: number,
): Promise<void> {
  const anonymousId = await findAnonymousValue(tx, realmId, place);
  if (value.groupId !== undefined) {
    await pointToGroup(tx, realmId, place, value.groupId);
    if (anonymousId !== null) await deleteAnonymousGroup(tx, realmId, anonymousId);
    return;
  }
  const groupId = anonymousId ?? (await insertAnonymousGroup(tx, realmId, nowMs));
  await replaceContents(tx, realmId, groupId, value);
  if (anonymousId === null) await pointToGroup(tx, realmId, place, groupId);
}
