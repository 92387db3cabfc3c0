import type { Transaction } from '@parley/shared/db';
import type { GroupSetting } from '@parley/shared/proto';
import { deleteAnonymousGroup, insertAnonymousGroup, replaceContents } from './anonymous-groups.sql';
import type { SettingPlace } from './setting-place';
import { findAnonymousValue, pointToGroup } from './setting-pointers.sql';

/**
 * Stores the value of a setting, as read by readGroupSettings or changeGroupSettings. An anonymous group belongs to one setting
 * alone and goes when the setting gets a named one. The caller holds the row of what has the setting.
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
