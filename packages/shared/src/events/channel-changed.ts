import { CHANNEL_PERMISSION_SETTINGS } from '../access';
import type { Channel, GroupSetting } from '../proto';
import { isAnnouncementOnly, publicGroupSetting } from '../wire';
import type { Audience } from './audience';
import { declareEvent, type PublicShape } from './declare-event';
import { seesChannel } from './knows-archived-channels';

/** What is different from before, and nothing else. */
export interface ChannelChange {
  name?: string;
  description?: { text: string; rendered: string };
  privacy?: Pick<Channel, 'isPrivate' | 'isWebPublic' | 'isHistoryPublic'>;
  /** Null: the organization's retention. */
  messageRetentionDays?: number | null;
  /** Null: in no folder. */
  folderId?: number | null;
  topicsPolicy?: string;
  isQuiet?: boolean;
  /** By name. */
  groupSettings?: Record<string, GroupSetting>;
  postPolicy?: number;
}

export interface ChannelChanged {
  channelId: number;
  /** As it was before. */
  name: string;
  isArchived: boolean;
  change: ChannelChange;
  /** Whoever knew of the channel, and still may. */
  audience: Audience;
}

/** The members of an update beside those that all have; null when the property did not change. */
type Render = (change: ChannelChange) => Record<string, unknown> | null;

function shapeOf(property: string, render: Render): PublicShape<ChannelChanged> {
  return {
    type: 'stream',
    audience: ({ audience }) => audience,
    isFor: (payload, view) => render(payload.change) !== null && seesChannel(payload, view),
    variant: () => '',
    render: ({ channelId, name, change }) => ({
      type: 'stream',
      op: 'update',
      property,
      ...render(change),
      stream_id: channelId,
      name,
    }),
  };
}

const plain = (value: unknown) => (value === undefined ? null : { value });

/** A channel's properties have changed. Public events `stream`: one for each property, for whoever may know of the channel. */
export const channelChanged = declareEvent<ChannelChanged>()('channel.changed', [
  shapeOf('invite_only', ({ privacy }) =>
    privacy === undefined
      ? null
      : {
          value: privacy.isPrivate,
          history_public_to_subscribers: privacy.isHistoryPublic,
          is_web_public: privacy.isWebPublic,
        },
  ),
  shapeOf('message_retention_days', ({ messageRetentionDays }) => plain(messageRetentionDays)),
  shapeOf('topics_policy', ({ topicsPolicy }) => plain(topicsPolicy)),
  shapeOf('folder_id', ({ folderId }) => plain(folderId)),
  shapeOf('is_recently_active', ({ isQuiet }) => (isQuiet === undefined ? null : { value: !isQuiet })),
  shapeOf('description', ({ description }) =>
    description === undefined ? null : { value: description.text, rendered_description: description.rendered },
  ),
  shapeOf('name', ({ name }) => plain(name)),
  ...Object.keys(CHANNEL_PERMISSION_SETTINGS).map((name) =>
    shapeOf(name, ({ groupSettings }) => {
      const value = groupSettings?.[name];
      return value === undefined ? null : { value: publicGroupSetting(value) };
    }),
  ),
  shapeOf('stream_post_policy', ({ postPolicy }) => plain(postPolicy)),
  shapeOf('is_announcement_only', ({ postPolicy }) =>
    postPolicy === undefined ? null : { value: isAnnouncementOnly(postPolicy) },
  ),
]);
