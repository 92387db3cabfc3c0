import { declareEvent } from './declare-event';
import { seesChannel } from './knows-archived-channels';

export interface ChannelVanished {
  channelId: number;
  isArchived: boolean;
  userIds: number[];
}

/** Users may know of a channel no more. Public event `stream`, for them. */
export const channelVanished = declareEvent<ChannelVanished>()('channel.vanished', [
  {
    type: 'stream',
    audience: ({ userIds }) => ({ to: 'users', userIds }),
    isFor: seesChannel,
    variant: () => '',
    render: ({ channelId }) => publicChannelDeletion(channelId),
  },
]);

/** What a client is told of a channel that is gone for it. */
export function publicChannelDeletion(channelId: number) {
  return { type: 'stream', op: 'delete', streams: [{ stream_id: channelId }], stream_ids: [channelId] };
}
