import type { Audience } from './audience';
import { declareEvent } from './declare-event';
import { seesChannel } from './knows-archived-channels';

export interface ChannelFirstMessageTold {
  channelId: number;
  name: string;
  isArchived: boolean;
  /** Whoever may know of the channel. */
  audience: Audience;
}

/** A channel begins with another message than before, or has none any more. Public event `stream`, with the one of when it is delivered. */
export const channelFirstMessageTold = declareEvent<ChannelFirstMessageTold>()('channel.first-message-told', [
  {
    type: 'stream',
    audience: ({ audience }) => audience,
    isFor: seesChannel,
    variant: () => '',
    begunChannelIds: ({ channelId }) => [channelId],
    isToldAnyway: true,
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
