import { declareEvent } from './declare-event';

/** What is different now. */
export interface ChannelFolderChange {
  name?: string;
  /** Both or neither. */
  description?: string;
  renderedDescription?: string;
  isArchived?: boolean;
}

export interface ChannelFolderChanged {
  folderId: number;
  change: ChannelFolderChange;
}

/** A channel folder was renamed, described anew, archived or brought back. Public event `channel_folder`, for everybody. */
export const channelFolderChanged = declareEvent<ChannelFolderChanged>()('channel-folder.changed', [
  {
    type: 'channel_folder',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ folderId, change: { name, description, renderedDescription, isArchived } }) => ({
      type: 'channel_folder',
      op: 'update',
      channel_folder_id: folderId,
      // Absent members are left out when this becomes JSON.
      data: { name, description, rendered_description: renderedDescription, is_archived: isArchived },
    }),
  },
]);
