import type { ChannelPermissionName } from '../access';
import type { Channel, ChannelFolder, DefaultChannelGroup, GroupSetting } from '../proto';
import { toSeconds } from '../values';
import { publicGroupSettings } from './groups';

const ADMINISTRATORS_MAY_POST = 2;

/**
 * The API's channel object, in answers and in events. Only the messages service knows the first message; null: there is none, or
 * it is unknown.
 */
export function publicChannel(channel: Channel, firstMessageId: number | null = null) {
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
    topics_policy: channel.topicsPolicy,
    folder_id: channel.folderId ?? null,
    subscriber_count: channel.subscriberCount,
    // Null: traffic is not counted.
    stream_weekly_traffic: null,
    first_message_id: firstMessageId,
    is_recently_active: channel.isQuiet !== true,
    stream_post_policy: channel.postPolicy,
    is_announcement_only: isAnnouncementOnly(channel.postPolicy),
    ...publicGroupSettings(channel.groupSettings as Record<ChannelPermissionName, GroupSetting>),
  };
}

/** An older setting, replaced by the policy for posting. */
export function isAnnouncementOnly(postPolicy: number): boolean {
  return postPolicy === ADMINISTRATORS_MAY_POST;
}

/** The API's channel folder object. */
export function publicChannelFolder(folder: ChannelFolder) {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    rendered_description: folder.renderedDescription,
    order: folder.order,
    date_created: toSeconds(folder.createdAtMs),
    creator_id: folder.creatorId ?? null,
    is_archived: folder.isArchived,
  };
}

/** The API's default channel group object. */
export function publicDefaultChannelGroup({ id, name, description, channelIds }: DefaultChannelGroup) {
  return { id, name, description, streams: channelIds };
}
