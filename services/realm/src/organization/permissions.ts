import type { RealmPermissionName } from '@parley/shared/access';
import { REALM_SETTINGS, type RealmSettingName } from '@parley/shared/values';

/** Permissions that only owners may grant. */
const FOR_OWNERS: readonly string[] = [
  'create_multiuse_invite_group',
  'can_create_groups',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
] satisfies RealmPermissionName[];

/** Whether one of the settings and permissions may be changed by owners only. */
export function areForOwners(settingNames: readonly RealmSettingName[], permissionNames: readonly string[]): boolean {
  return (
    settingNames.some((name) => REALM_SETTINGS[name].isForOwners === true) ||
    permissionNames.some((name) => FOR_OWNERS.includes(name))
  );
}
