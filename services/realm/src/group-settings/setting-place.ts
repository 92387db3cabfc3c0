import type { ChannelPermissionName, GroupPermissionName, RealmPermissionName } from '@parley/shared/access';

/** One setting of an organization, a channel or a user group. */
export type SettingPlace =
  | { of: 'realm'; name: RealmPermissionName }
  | { of: 'channel'; channelId: number; name: ChannelPermissionName }
  | { of: 'group'; groupId: number; name: GroupPermissionName };

/** The one setting that lies in its channel's own row, as sending reads it. */
export const SEND_SETTING = 'can_send_message_group' satisfies ChannelPermissionName;
