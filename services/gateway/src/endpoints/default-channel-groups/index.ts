export { changeDefaultChannelGroupChannels } from './change-default-channel-group-channels';
export { createDefaultChannelGroup } from './create-default-channel-group';
export { removeDefaultChannelGroup } from './remove-default-channel-group';
export { updateDefaultChannelGroup } from './update-default-channel-group';
