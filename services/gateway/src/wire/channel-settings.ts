import type { Channel, GroupSummary } from '@parley/shared/proto';
import { z } from 'zod';

/** A user group by id, or an unnamed one by its members. */
export const groupSettingSchema = z.union([
  z.int(),
  z.strictObject({ direct_members: z.array(z.int()), direct_subgroups: z.array(z.int()) }),
]);

export type GroupSetting = z.infer<typeof groupSettingSchema>;

/** Who may do what in a channel. No channel differs from these yet; its creator administers it. */
const DEFAULT_GROUPS = {
  can_add_subscribers_group: 'role:nobody',
  can_create_topic_group: 'role:everyone',
  can_delete_any_message_group: 'role:nobody',
  can_delete_own_message_group: 'role:nobody',
  can_move_messages_out_of_channel_group: 'role:nobody',
  can_move_messages_within_channel_group: 'role:nobody',
  can_remove_subscribers_group: 'role:administrators',
  can_resolve_topics_group: 'role:nobody',
  can_send_message_group: 'role:everyone',
  can_subscribe_group: 'role:nobody',
} as const;

type SettingName = keyof typeof DEFAULT_GROUPS | 'can_administer_channel_group';

export const channelSettingsShape = Object.fromEntries(
  [...Object.keys(DEFAULT_GROUPS), 'can_administer_channel_group'].map((name) => [name, groupSettingSchema]),
) as Record<SettingName, typeof groupSettingSchema>;

export type ChannelSettings = Record<SettingName, GroupSetting>;

/** The settings of a channel, by the organization's own ids of the system groups. */
export function channelSettings(groups: readonly GroupSummary[]): (channel: Channel) => ChannelSettings {
  const idOf = (wanted: string) => {
    const found = groups.find(({ name, isSystem }) => isSystem && name === wanted);
    if (!found) throw new Error(`the organization has no group ${wanted}`);
    return found.id;
  };
  const nobodyId = idOf('role:nobody');
  const defaults = Object.entries(DEFAULT_GROUPS).map(([name, group]) => [name, idOf(group)]);
  const shared = Object.fromEntries(defaults) as Record<keyof typeof DEFAULT_GROUPS, number>;
  return ({ creatorId }) => ({
    ...shared,
    can_administer_channel_group:
      creatorId === undefined ? nobodyId : { direct_members: [creatorId], direct_subgroups: [] },
  });
}
