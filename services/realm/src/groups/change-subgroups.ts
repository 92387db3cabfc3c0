import type { ChangeSubgroupsRequest, ChangeSubgroupsResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { changeMembership } from './change-membership';

const NOTHING_TO_DO = 'Nothing to do. Specify at least one of "add" or "delete".';

/** Puts groups into a group or out of it. */
export async function changeSubgroups(
  ctx: Context,
  caller: Caller,
  { groupId, addedIds, removedIds }: ChangeSubgroupsRequest,
): Promise<ChangeSubgroupsResponse> {
  await changeMembership(ctx, caller, {
    groupId,
    addedIds: [],
    removedIds: [],
    addedSubgroupIds: addedIds,
    removedSubgroupIds: removedIds,
    nothingToDo: NOTHING_TO_DO,
  });
  return {};
}
