import type { CreateDefaultChannelGroupRequest, CreateDefaultChannelGroupResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { changeDefaultChannelGroups } from './change-default-channel-groups';
import { checkNewChannels } from './check-new-channels';
import { findNamedChannels, groupDescriptionFromInput, groupNameFromInput } from './default-channel-group-input';
import { insertDefaultChannelGroup, insertGroupChannels } from './default-channel-groups.sql';

/** Makes a set of channels. */
export async function createDefaultChannelGroup(
  ctx: Context,
  caller: Caller,
  request: CreateDefaultChannelGroupRequest,
): Promise<CreateDefaultChannelGroupResponse> {
  const { realmId } = caller;
  return changeDefaultChannelGroups(ctx, caller, async ({ tx, groups }) => {
    const channels = await findNamedChannels(tx, realmId, request.channelNames);
    const name = groupNameFromInput(request.name, groups);
    const description = groupDescriptionFromInput(request.description);
    await checkNewChannels(tx, realmId, { name, channelIds: [] }, channels);
    const id = await insertDefaultChannelGroup(tx, realmId, { name, description });
    await insertGroupChannels(
      tx,
      realmId,
      id,
      channels.map((channel) => channel.id),
    );
    return { id };
  });
}
