import type { ChannelFolder } from '../proto';
import { publicChannelFolder } from '../wire';
import { declareEvent } from './declare-event';

export interface ChannelFolderCreated {
  folder: ChannelFolder;
}

/** A channel folder was made. Public event `channel_folder`, for everybody. */
export const channelFolderCreated = declareEvent<ChannelFolderCreated>()('channel-folder.created', [
  {
    type: 'channel_folder',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ folder }) => ({ type: 'channel_folder', op: 'add', channel_folder: publicChannelFolder(folder) }),
  },
]);
