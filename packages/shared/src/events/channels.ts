import { CHANNEL_PERMISSION_SETTINGS } from '../access';
import type { Channel, GroupSetting } from '../proto';
import { isAnnouncementOnly, publicChannel, publicGroupSetting } from '../wire';
import type { Audience } from './audience';
import { type ClientView, declareEvent, type PublicShape } from './declare-event';

/** Whether the client knows archived channels as such; for other clients they are deleted. */
function knowsArchivedChannels({ capabilities }: ClientView): boolean {
  return capabilities.includes('archived_channels');
}

/** Whether a client gets events about a channel, see `isFor` of a PublicShape. */
export function seesChannel({ isArchived }: { isArchived: boolean }, view: ClientView): boolean {
  return !isArchived || knowsArchivedChannels(view);
}

/** Texts of events about several channels differ when some of them may be archived: the `variant` of their shapes. */
export function archivedVariant(view: ClientView): string {
  return knowsArchivedChannels(view) ? 'with archived' : '';
}

/** Part of events that are repeated when a channel is unarchived. */
export interface Returning {
  /** The channel was unarchived: for clients that lost it when it was archived. */
  isReturn?: boolean;
}

/** Whether a client needs the repetition: one that knows archived channels has never lost it. See `isFor` of a PublicShape. */
export function missedIt({ isReturn = false }: Returning, view: ClientView): boolean {
  return !isReturn || !knowsArchivedChannels(view);
}

export interface ChannelAppeared {
  channel: Channel;
  /** Channels that appeared together with it, for the same users. */
  others?: Channel[];
  /** Users for whom it appeared. */
  audience: Audience;
}

const channelsOf = ({ channel, others = [] }: ChannelAppeared) => [channel, ...others];

/** Channels became visible to users: new ones, or by a change of access. Public event `stream`. */
export const channelAppeared = declareEvent<ChannelAppeared>()('channel.appeared', [
  {
    type: 'stream',
    audience: ({ audience }) => audience,
    isFor: (payload, view) => channelsOf(payload).some((channel) => seesChannel(channel, view)),
    variant: archivedVariant,
    begunChannelIds: (payload) => channelsOf(payload).map(({ id }) => id),
    render: (payload, view, firstMessageOf) => ({
      type: 'stream',
      op: 'create',
      streams: channelsOf(payload)
        .filter((channel) => seesChannel(channel, view))
        .map((channel) => publicChannel(channel, firstMessageOf?.(channel.id))),
    }),
  },
]);

/** The changed fields only. */
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
  /** Users who knew of the channel and still may. */
  audience: Audience;
}

/** The additional members of an update; null when the property did not change. */
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

/** A channel's properties have changed. Public events `stream`: one for each property, for everyone who can see the channel. */
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

export interface ChannelArchived {
  /** After the change. */
  channel: Channel;
  /** Users who can see it. */
  audience: Audience;
  /** When; absent of versions before. */
  atMs?: number;
}

const isArchivedUpdate = ({ channel }: ChannelArchived) => ({
  type: 'stream',
  op: 'update',
  property: 'is_archived',
  value: channel.isArchived,
  stream_id: channel.id,
  name: channel.name,
});

/** A channel was archived or unarchived. Public events `stream`: clients that do not know archived channels lose or get it. */
export const channelArchived = declareEvent<ChannelArchived>()('channel.archived', [
  {
    type: 'stream',
    audience: ({ audience }) => audience,
    isFor: (_payload, view) => knowsArchivedChannels(view),
    variant: () => '',
    render: isArchivedUpdate,
  },
  {
    type: 'stream',
    audience: ({ audience }) => audience,
    isFor: (_payload, view) => !knowsArchivedChannels(view),
    variant: () => '',
    begunChannelIds: ({ channel }) => (channel.isArchived ? [] : [channel.id]),
    render: ({ channel }, _view, firstMessageOf) =>
      channel.isArchived
        ? publicChannelDeletion([channel.id])
        : // Subscriber events follow, which clients add to the number that they got with the channel.
          {
            type: 'stream',
            op: 'create',
            streams: [publicChannel({ ...channel, subscriberCount: 0 }, firstMessageOf?.(channel.id))],
          },
  },
]);

export interface VanishedChannel {
  channelId: number;
  isArchived: boolean;
}

export interface ChannelVanished {
  channelId: number;
  isArchived: boolean;
  /** Channels that vanished together with it, for the same users. */
  others?: VanishedChannel[];
  userIds: number[];
}

const vanishedChannelsOf = ({ channelId, isArchived, others = [] }: ChannelVanished) => [
  { channelId, isArchived },
  ...others,
];

/** Channels became invisible to users. Public event `stream`, for them. */
export const channelVanished = declareEvent<ChannelVanished>()('channel.vanished', [
  {
    type: 'stream',
    audience: ({ userIds }) => ({ to: 'users', userIds }),
    isFor: (payload, view) => vanishedChannelsOf(payload).some((channel) => seesChannel(channel, view)),
    variant: archivedVariant,
    render: (payload, view) => {
      const shown = vanishedChannelsOf(payload).filter((channel) => seesChannel(channel, view));
      return publicChannelDeletion(shown.map(({ channelId }) => channelId));
    },
  },
]);

/** The event for clients from which channels disappear. */
function publicChannelDeletion(channelIds: readonly number[]) {
  return {
    type: 'stream',
    op: 'delete',
    streams: channelIds.map((channelId) => ({ stream_id: channelId })),
    stream_ids: channelIds,
  };
}

export interface ChannelAccessChanged {
  channelId: number;
  /** Whether they gain or lose the messages they received, or the whole history. */
  of: 'content' | 'history';
  gainedIds: readonly number[];
  lostIds: readonly number[];
}

/**
 * Users gained or lost the right to read a channel without any other event: its visibility and their subscription are unchanged.
 * The messages service announces their stars and topic policies there.
 */
export const channelAccessChanged = declareEvent<ChannelAccessChanged>()('channel-access.changed', []);

export interface ChannelWoken {
  channelId: number;
}

/** A message was sent in an inactive channel; the realm service makes it active and announces that. */
export const channelWoken = declareEvent<ChannelWoken>()('channel.woken', []);

export interface ChannelBeginningChanged {
  /** COMPAT: versions before `channel.first-message-told` showed the name; empty where `audience` is nobody. */
  channel: { id: number; name: string };
  /** As of the transaction; null: no message is left. */
  firstMessageId: number | null;
  /** COMPAT: the receivers in those versions. */
  audience: Audience;
}

/** A channel's first message changed, or it has none; the realm service announces it to everyone who can see the channel. */
export const channelBeginningChanged = declareEvent<ChannelBeginningChanged>()('channel.beginning-changed', []);

export interface ChannelFirstMessageTold {
  channelId: number;
  name: string;
  isArchived: boolean;
  /** Users who can see the channel. */
  audience: Audience;
}

/** A channel has another first message, or none. Public event `stream`, with the first message at delivery. */
export const channelFirstMessageTold = declareEvent<ChannelFirstMessageTold>()('channel.first-message-told', [
  {
    type: 'stream',
    audience: ({ audience }) => audience,
    isFor: seesChannel,
    variant: () => '',
    begunChannelIds: ({ channelId }) => [channelId],
    isAlwaysSent: true,
    render: ({ channelId, name }, _view, firstMessageOf) => ({
      type: 'stream',
      op: 'update',
      property: 'first_message_id',
      value: firstMessageOf?.(channelId) ?? null,
      stream_id: channelId,
      name,
    }),
  },
]);
