import { CHANNEL_PERMISSION_SETTINGS, type ChannelPermissionName, type PermissionSetting } from '@parley/shared/access';
import type { Channel, GroupSummary } from '@parley/shared/proto';
import { groupSettingSchema, type PublicGroupSetting } from './group-setting';

const entries = Object.entries<PermissionSetting>(CHANNEL_PERMISSION_SETTINGS);

export const channelSettingsShape = Object.fromEntries(entries.map(([name]) => [name, groupSettingSchema])) as Record<
  ChannelPermissionName,
  typeof groupSettingSchema
>;

export type ChannelSettings = Record<ChannelPermissionName, PublicGroupSetting>;

/** Who may do what in a channel: the defaults, by the organization's own ids of the system groups. */
export function channelSettings(groups: readonly GroupSummary[]): (channel: Channel) => ChannelSettings {
  const idOf = (wanted: string) => {
    const found = groups.find(({ name, isSystem }) => isSystem && name === wanted);
    if (!found) throw new Error(`the organization has no group ${wanted}`);
    return found.id;
  };
  const nobodyId = idOf('role:nobody');
  const groupIds = entries.map(
    ([name, { default: group }]) => [name, group === 'creator' ? null : idOf(group)] as const,
  );
  return ({ creatorId }) => {
    const creator = creatorId === undefined ? nobodyId : { direct_members: [creatorId], direct_subgroups: [] };
    return Object.fromEntries(groupIds.map(([name, groupId]) => [name, groupId ?? creator])) as ChannelSettings;
  };
}
