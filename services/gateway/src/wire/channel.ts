import { CHANNEL_PERMISSION_SETTINGS, type ChannelPermissionName } from '@parley/shared/access';
import type { Channel } from '@parley/shared/proto';
import { publicChannel } from '@parley/shared/wire';
import { z } from 'zod';
import type { FirstMessageOf } from './first-messages';
import { groupSettingSchema } from './group-setting';

/** The permission settings of a channel, in the order in which parameters are read and answers written. */
export const CHANNEL_PERMISSION_NAMES = Object.keys(CHANNEL_PERMISSION_SETTINGS) as ChannelPermissionName[];

const settingsShape = Object.fromEntries(CHANNEL_PERMISSION_NAMES.map((name) => [name, groupSettingSchema])) as Record<
  ChannelPermissionName,
  typeof groupSettingSchema
>;

export const topicsPolicySchema = z.enum(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']);

export const channelSchema = z.strictObject({
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: z.int(),
  creator_id: z.int().nullable(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  is_archived: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  message_retention_days: z.int().nullable().describe('null: as the organization; -1: for ever.'),
  topics_policy: topicsPolicySchema,
  folder_id: z.int().nullable(),
  subscriber_count: z.int(),
  stream_weekly_traffic: z.int().nullable().describe('null: not counted.'),
  first_message_id: z.int().nullable().describe('null: it has no messages.'),
  is_recently_active: z.boolean(),
  stream_post_policy: z.int().describe('Deprecated; derived from can_send_message_group.'),
  is_announcement_only: z.boolean().describe('Deprecated; derived from can_send_message_group.'),
  ...settingsShape,
});

export type PublicChannel = z.infer<typeof channelSchema>;

/** A channel as whoever may know of it sees it. */
export function shownChannel(channel: Channel, firstMessageOf: FirstMessageOf): PublicChannel {
  return publicChannel(channel, firstMessageOf(channel)) as PublicChannel;
}
