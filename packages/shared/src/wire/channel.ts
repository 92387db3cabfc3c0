import type { ChannelPermissionName } from '../access';
import type { Channel, GroupSetting } from '../proto';
import { toSeconds } from '../values';
import { publicGroupSettings } from './group';

const ADMINISTRATORS_MAY_POST = 2;

/** What only the messages service knows of a channel. */
export interface ChannelActivity {
  /** Null: there is none, or it is not known. */
  firstMessageId: number | null;
  isRecentlyActive: boolean;
}

/** A channel that is new has no message and counts as active; the same is said of one of which nobody asked. */
const UNKNOWN_ACTIVITY: ChannelActivity = { firstMessageId: null, isRecentlyActive: true };

/** The API's channel object, as whoever may know of the channel sees it; in answers and in events alike. */
export function publicChannel(channel: Channel, { firstMessageId, isRecentlyActive } = UNKNOWN_ACTIVITY) {
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
    is_recently_active: isRecentlyActive,
    stream_post_policy: channel.postPolicy,
    is_announcement_only: isAnnouncementOnly(channel.postPolicy),
    ...publicGroupSettings(channel.groupSettings as Record<ChannelPermissionName, GroupSetting>),
  };
}

/** What a still older setting said in place of the policy for posting. */
export function isAnnouncementOnly(postPolicy: number): boolean {
  return postPolicy === ADMINISTRATORS_MAY_POST;
}
