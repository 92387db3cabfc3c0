import { byCaller, type Implementation } from '@parley/shared/rpc';
import { findChannel, getChannel, getChannelMembers } from '../channel-access/get-channel';
import {
  createChannelFolder,
  listChannelFolders,
  reorderChannelFolders,
  updateChannelFolder,
} from '../channel-folders/channel-folders';
import { findChannelMailAddress, getChannelEmailAddress } from '../channel-mail/channel-addresses';
import { archiveChannel } from '../channels/archive-channel';
import { listChannels } from '../channels/list-channels';
import { updateChannel } from '../channels/update-channel';
import type { Context } from '../context';
import { listAgedChannels, setQuietChannels } from '../facts/quiet-channels';
import { createChannel } from '../joining/create-channel';
import type { ChannelsOf } from '../list-changes/list-versions';
import {
  changeDefaultChannelGroupChannels,
  createDefaultChannelGroup,
  removeDefaultChannelGroup,
  updateDefaultChannelGroup,
} from '../organization-lists/default-channel-groups';
import { addDefaultChannel, removeDefaultChannel } from '../organization-lists/default-channels';

/** Channels, their folders, and sets of default channels. */
export function channelMethods(ctx: Context, channelsOf: ChannelsOf) {
  return {
    listChannels: byCaller((caller, request) => listChannels(ctx, channelsOf, caller, request)),
    getChannel: byCaller((caller, request) => getChannel(ctx, caller, request)),
    findChannel: byCaller((caller, request) => findChannel(ctx, caller, request)),
    getChannelMembers: byCaller((caller, request) => getChannelMembers(ctx, caller, request)),
    getChannelEmailAddress: byCaller((caller, request) => getChannelEmailAddress(ctx, caller, request)),
    findChannelMailAddress: (_call, request) => findChannelMailAddress(ctx, request),
    createChannel: byCaller((caller, request) => createChannel(ctx, caller, request)),
    updateChannel: byCaller((caller, request) => updateChannel(ctx, caller, request)),
    archiveChannel: byCaller((caller, request) => archiveChannel(ctx, caller, request)),
    listAgedChannels: (_call, request) => listAgedChannels(ctx, request),
    setQuietChannels: (_call, request) => setQuietChannels(ctx, request),
    listChannelFolders: byCaller((caller, request) => listChannelFolders(ctx, caller, request)),
    createChannelFolder: byCaller((caller, request) => createChannelFolder(ctx, caller, request)),
    updateChannelFolder: byCaller((caller, request) => updateChannelFolder(ctx, caller, request)),
    reorderChannelFolders: byCaller((caller, request) => reorderChannelFolders(ctx, caller, request)),
    addDefaultChannel: byCaller((caller, request) => addDefaultChannel(ctx, caller, request)),
    removeDefaultChannel: byCaller((caller, request) => removeDefaultChannel(ctx, caller, request)),
    createDefaultChannelGroup: byCaller((caller, request) => createDefaultChannelGroup(ctx, caller, request)),
    updateDefaultChannelGroup: byCaller((caller, request) => updateDefaultChannelGroup(ctx, caller, request)),
    changeDefaultChannelGroupChannels: byCaller((caller, request) =>
      changeDefaultChannelGroupChannels(ctx, caller, request),
    ),
    removeDefaultChannelGroup: byCaller((caller, request) => removeDefaultChannelGroup(ctx, caller, request)),
  } satisfies Partial<Implementation<'realm'>>;
}
