import { declareEvent } from './declare-event';

export interface ChannelFoldersReordered {
  /** Every folder, archived ones included. */
  orderedIds: number[];
}

/** An organization's channel folders stand in another order. Public event `channel_folder`, for everybody. */
export const channelFoldersReordered = declareEvent<ChannelFoldersReordered>()('channel-folders.reordered', [
  {
    type: 'channel_folder',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ orderedIds }) => ({ type: 'channel_folder', op: 'reorder', order: orderedIds }),
  },
]);
