import type { ChangeGroupMembersRequest, ChangeGroupMembersResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { changeMembership } from './change-membership';

const NOTHING_TO_DO = 'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".';

/** Puts users, and groups, into a group or out of it. */
export async function changeGroupMembers(
  ctx: Context,
  caller: Caller,
  request: ChangeGroupMembersRequest,
): Promise<ChangeGroupMembersResponse> {
  await changeMembership(ctx, caller, { ...request, nothingToDo: NOTHING_TO_DO });
  return {};
}
