export { createChannelFolder } from './create-channel-folder';
export { listChannelFolders } from './list-channel-folders';
export { reorderChannelFolders } from './reorder-channel-folders';
export { updateChannelFolder } from './update-channel-folder';
