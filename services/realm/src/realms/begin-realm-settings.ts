import type { RealmPermissionName, SystemGroupName } from '@parley/shared/access';
import type { Transaction } from '@parley/shared/db';
import { EMAIL_VISIBLE_TO, isEducation, ORG_TYPES, REALM_SETTING_DEFAULTS } from '@parley/shared/values';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { pointToGroup } from '../group-settings/setting-pointers.sql';
import { storeSettingsDefaults } from '../user-settings/user-settings.sql';
import { storeRealmSettings } from './realm-settings.sql';

/** Schools begin with less freedom for those who are not staff. */
const EDUCATION_PERMISSIONS = {
  can_create_public_channel_group: 'role:administrators',
  can_invite_users_group: 'role:administrators',
  can_create_groups: 'role:moderators',
  can_move_messages_between_channels_group: 'role:moderators',
  can_add_subscribers_group: 'role:moderators',
} as const satisfies Partial<Record<RealmPermissionName, SystemGroupName>>;

export interface Beginning {
  orgType: number;
  /** Where new channels, and what is new in the service, are announced. */
  announcementChannelId: number;
}

/** Stores what a new organization begins with otherwise than the catalogue says. */
export async function beginRealmSettings(
  tx: Transaction,
  realmId: number,
  { orgType, announcementChannelId }: Beginning,
): Promise<void> {
  const { invite_required: isClosed } = REALM_SETTING_DEFAULTS;
  await storeRealmSettings(tx, realmId, {
    ...(orgType !== ORG_TYPES.unspecified && { org_type: orgType }),
    new_stream_announcements_stream_id: announcementChannelId,
    service_update_announcements_stream_id: announcementChannelId,
    // Who read what is told where people know one another.
    enable_read_receipts: isClosed,
  });
  if (isEducation(orgType)) await beginEducation(tx, realmId);
}

async function beginEducation(tx: Transaction, realmId: number): Promise<void> {
  const groupIds = await findSystemGroupIds(tx, realmId);
  for (const [name, group] of Object.entries(EDUCATION_PERMISSIONS) as [RealmPermissionName, SystemGroupName][]) {
    await pointToGroup(tx, realmId, { of: 'realm', name }, groupIds[group]);
  }
  await storeSettingsDefaults(tx, realmId, { email_address_visibility: EMAIL_VISIBLE_TO.administrators });
}
