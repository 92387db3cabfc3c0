export { archiveChannel } from './archive-channel';
export { createChannel } from './create-channel';
export { findChannel } from './find-channel';
export { getChannel } from './get-channel';
export { getChannelEmailAddress } from './get-channel-email-address';
export { getChannelMembers } from './get-channel-members';
export { listChannels } from './list-channels';
export { updateChannel } from './update-channel';
