import type { Audience } from './audience';
import { declareEvent } from './declare-event';

export interface ChannelBeginningChanged {
  channel: { id: number; name: string };
  /** Null: nothing is left in it. */
  firstMessageId: number | null;
  audience: Audience;
}

/** A channel's first message went away. Public event `stream`, for those who are told of the deletion. */
export const channelBeginningChanged = declareEvent<ChannelBeginningChanged>()('channel.beginning-changed', [
  {
    type: 'stream',
    audience: ({ audience }) => audience,
    variant: () => '',
    render: ({ channel, firstMessageId }) => ({
      type: 'stream',
      op: 'update',
      property: 'first_message_id',
      value: firstMessageId,
      stream_id: channel.id,
      name: channel.name,
    }),
  },
]);
