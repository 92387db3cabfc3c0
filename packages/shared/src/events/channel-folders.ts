import type { ChannelFolder } from '../proto';
import { publicChannelFolder } from '../wire';
import { declareEvent } from './declare-event';

export interface ChannelFolderCreated {
  folder: ChannelFolder;
}

/** A channel folder was created. Public event `channel_folder`, for everybody. */
export const channelFolderCreated = declareEvent<ChannelFolderCreated>()('channel-folder.created', [
  {
    type: 'channel_folder',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ folder }) => ({ type: 'channel_folder', op: 'add', channel_folder: publicChannelFolder(folder) }),
  },
]);

/** The changed fields only. */
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

/** A channel folder's name or description has changed, or it was archived or unarchived. Public event `channel_folder`, for everybody. */
export const channelFolderChanged = declareEvent<ChannelFolderChanged>()('channel-folder.changed', [
  {
    type: 'channel_folder',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ folderId, change: { name, description, renderedDescription, isArchived } }) => ({
      type: 'channel_folder',
      op: 'update',
      channel_folder_id: folderId,
      // Absent members are omitted in JSON.
      data: { name, description, rendered_description: renderedDescription, is_archived: isArchived },
    }),
  },
]);

export interface ChannelFoldersReordered {
  /** Every folder, archived ones included. */
  orderedIds: number[];
}

/** The order of an organization's channel folders changed. Public event `channel_folder`, for everybody. */
export const channelFoldersReordered = declareEvent<ChannelFoldersReordered>()('channel-folders.reordered', [
  {
    type: 'channel_folder',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ orderedIds }) => ({ type: 'channel_folder', op: 'reorder', order: orderedIds }),
  },
]);
