import type { RemoveDefaultChannelGroupRequest, RemoveDefaultChannelGroupResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { changeDefaultChannelGroups } from './change-default-channel-groups';
import { findGroup } from './default-channel-group-input';
import { deleteDefaultChannelGroup } from './default-channel-groups.sql';

/** Does away with a set of channels; the channels stay. */
export async function removeDefaultChannelGroup(
  ctx: Context,
  caller: Caller,
  { id }: RemoveDefaultChannelGroupRequest,
): Promise<RemoveDefaultChannelGroupResponse> {
  return changeDefaultChannelGroups(ctx, caller, async ({ tx, groups }) => {
    await deleteDefaultChannelGroup(tx, caller.realmId, findGroup(groups, id).id);
    return {};
  });
}
