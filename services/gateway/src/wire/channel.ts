import type { Channel } from '@parley/shared/proto';
import { toSeconds } from '@parley/shared/values';
import { z } from 'zod';
import { type ChannelSettings, channelSettingsShape } from './channel-settings';

const EVERYBODY_MAY_POST = 1;

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
  topics_policy: z.enum(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']),
  folder_id: z.int().nullable(),
  subscriber_count: z.int(),
  stream_weekly_traffic: z.int().nullable().describe('null: not counted.'),
  first_message_id: z.int().nullable().describe('null: none, or not known.'),
  is_recently_active: z.boolean(),
  stream_post_policy: z.int().describe('Deprecated; derived from can_send_message_group.'),
  is_announcement_only: z.boolean().describe('Deprecated; derived from can_send_message_group.'),
  ...channelSettingsShape,
});

export type PublicChannel = z.infer<typeof channelSchema>;

/** A channel as whoever may know of it sees it. */
export function publicChannel(channel: Channel, settings: ChannelSettings): PublicChannel {
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.renderedDescription,
    date_created: toSeconds(channel.createdAtMs),
    creator_id: channel.creatorId ?? null,
    invite_only: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    is_archived: channel.isArchived,
    history_public_to_subscribers: channel.isHistoryPublic,
    message_retention_days: channel.messageRetentionDays ?? null,
    topics_policy: channel.topicsPolicy as PublicChannel['topics_policy'],
    folder_id: channel.folderId ?? null,
    subscriber_count: channel.subscriberCount,
    stream_weekly_traffic: null,
    // SPEC-GAP: clients demand both, whose truth lies in another service; these answers hide nothing from a reader.
    first_message_id: null,
    is_recently_active: !channel.isArchived,
    stream_post_policy: EVERYBODY_MAY_POST,
    is_announcement_only: false,
    ...settings,
  };
}
