import type { ListGroupsRequest, ListGroupsResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { requireMember } from '../guards';
import { listGroups as listGroupRows } from './groups.sql';
import { toGroups } from './to-group';

/** The organization's groups, system groups included, by id. */
export async function listGroups(
  ctx: Context,
  caller: Caller,
  { includesDeactivated }: ListGroupsRequest,
): Promise<ListGroupsResponse> {
  const nowMs = ctx.clock.now();
  requireMember((await loadActor(ctx.db, caller, nowMs)).user);
  const groups = toGroups(await listGroupRows(ctx.db, caller.realmId, nowMs));
  return { groups: groups.filter(({ isDeactivated }) => includesDeactivated || !isDeactivated) };
}
