import { declareEvent } from './declare-event';
import { archivedVariant, seesChannel } from './knows-archived-channels';

export interface VanishedChannel {
  channelId: number;
  isArchived: boolean;
}

export interface ChannelVanished {
  channelId: number;
  isArchived: boolean;
  /** Those that vanished together with it, for the same users. */
  others?: VanishedChannel[];
  userIds: number[];
}

const channelsOf = ({ channelId, isArchived, others = [] }: ChannelVanished) => [{ channelId, isArchived }, ...others];

/** Channels are no longer visible to users. Public event `stream`, for them. */
export const channelVanished = declareEvent<ChannelVanished>()('channel.vanished', [
  {
    type: 'stream',
    audience: ({ userIds }) => ({ to: 'users', userIds }),
    isFor: (payload, view) => channelsOf(payload).some((channel) => seesChannel(channel, view)),
    variant: archivedVariant,
    render: (payload, view) => {
      const shown = channelsOf(payload).filter((channel) => seesChannel(channel, view));
      return publicChannelDeletion(shown.map(({ channelId }) => channelId));
    },
  },
]);

/** What a client is told of channels that are gone for it. */
export function publicChannelDeletion(channelIds: readonly number[]) {
  return {
    type: 'stream',
    op: 'delete',
    streams: channelIds.map((channelId) => ({ stream_id: channelId })),
    stream_ids: channelIds,
  };
}
