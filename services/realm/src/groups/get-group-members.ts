import type { GetGroupMembersRequest, GetGroupMembersResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { requireMember } from '../guards';
import { accessGroup } from './access-group';
import { listAllMemberIds } from './group-members.sql';

/** Active members of a group, by id; unless told otherwise, those of groups inside it, too. */
export async function getGroupMembers(
  ctx: Context,
  caller: Caller,
  { groupId, isDirectOnly }: GetGroupMembersRequest,
): Promise<GetGroupMembersResponse> {
  const nowMs = ctx.clock.now();
  requireMember((await loadActor(ctx.db, caller, nowMs)).user);
  const group = await accessGroup(ctx.db, caller.realmId, groupId, nowMs);
  if (isDirectOnly) return { memberIds: group.memberIds };
  return { memberIds: await listAllMemberIds(ctx.db, caller.realmId, group.id, nowMs) };
}
