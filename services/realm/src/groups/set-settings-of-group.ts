import type { GroupPermissionName } from '@parley/shared/access';
import type { Transaction } from '@parley/shared/db';
import type { GroupSetting } from '@parley/shared/proto';
import type { GroupSettings } from '../group-settings/complete-settings';
import { setGroupSetting } from '../group-settings/set-group-setting';

/** Stores values of a group's own settings. */
export async function setSettingsOfGroup(
  tx: Transaction,
  realmId: number,
  groupId: number,
  settings: Partial<GroupSettings<GroupPermissionName>>,
  nowMs: number,
): Promise<void> {
  for (const [name, value] of Object.entries(settings) as [GroupPermissionName, GroupSetting][]) {
    await setGroupSetting(tx, realmId, { of: 'group', groupId, name }, value, nowMs);
  }
}
