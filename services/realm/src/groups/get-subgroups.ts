import type { GetSubgroupsRequest, GetSubgroupsResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { requireMember } from '../guards';
import { accessGroup } from './access-group';
import { groupsInside } from './group-graph';
import { listGroupLinks } from './group-members.sql';

/** The groups inside a group, by id; unless told otherwise, at any depth. */
export async function getSubgroups(
  ctx: Context,
  caller: Caller,
  { groupId, isDirectOnly }: GetSubgroupsRequest,
): Promise<GetSubgroupsResponse> {
  const nowMs = ctx.clock.now();
  requireMember((await loadActor(ctx.db, caller, nowMs)).user);
  const group = await accessGroup(ctx.db, caller.realmId, groupId, nowMs);
  if (isDirectOnly) return { subgroupIds: group.directSubgroupIds };
  const inside = groupsInside(await listGroupLinks(ctx.db, caller.realmId), [group.id]);
  return { subgroupIds: [...inside].sort((a, b) => a - b) };
}
