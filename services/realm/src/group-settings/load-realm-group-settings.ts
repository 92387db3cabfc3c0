import { REALM_PERMISSION_SETTINGS, type RealmPermissionName } from '@parley/shared/access';
import type { Sql } from '@parley/shared/db';
import { completeSettings, type GroupSettings } from './complete-settings';
import { findRealmSettings, findSystemGroupIds } from './group-settings.sql';

export type RealmGroupSettings = GroupSettings<RealmPermissionName>;

/** Who may do what in the organization: every setting, normalized. */
export async function loadRealmGroupSettings(sql: Sql, realmId: number): Promise<RealmGroupSettings> {
  const systemGroupIds = await findSystemGroupIds(sql, realmId);
  const stored = await findRealmSettings(sql, realmId);
  return completeSettings(REALM_PERMISSION_SETTINGS, stored, { creatorId: null, systemGroupIds });
}
