import { BadRequestError } from '@parley/shared/errors';
import type { UpdateDefaultChannelGroupRequest, UpdateDefaultChannelGroupResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { changeDefaultChannelGroups } from './change-default-channel-groups';
import { findGroup, groupDescriptionFromInput, groupNameFromInput } from './default-channel-group-input';
import { storeDefaultChannelGroup } from './default-channel-groups.sql';

/** Renames or describes a set of channels. */
export async function updateDefaultChannelGroup(
  ctx: Context,
  caller: Caller,
  { id, name: newName, description: newDescription }: UpdateDefaultChannelGroupRequest,
): Promise<UpdateDefaultChannelGroupResponse> {
  return changeDefaultChannelGroups(ctx, caller, async ({ tx, groups }) => {
    if (newName === undefined && newDescription === undefined) {
      throw new BadRequestError('You must pass "new_description" or "new_group_name".');
    }
    const group = findGroup(groups, id);
    const name = newName === undefined ? group.name : groupNameFromInput(newName, groups);
    const description = groupDescriptionFromInput(newDescription ?? group.description);
    await storeDefaultChannelGroup(tx, caller.realmId, { id, name, description });
    return {};
  });
}
