import type { GetGroupListRequest, GroupList } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { publicGroup } from '@parley/shared/wire';
import type { Context } from '../context';
import { listGroups } from '../groups/groups.sql';
import { toGroups } from '../groups/to-group';
import { findGroupListVersion } from './versions.sql';

/** All groups of the organization, as JSON; there is nobody who may not know of them. */
export async function getGroupList(
  ctx: Context,
  { realmId }: Caller,
  { includesDeactivated, knownVersion }: GetGroupListRequest,
): Promise<GroupList> {
  const nowMs = ctx.clock.now();
  // Before the list: what it tells is of this version or of a later one, which the next to ask gets to see.
  const version = await findGroupListVersion(ctx.db, realmId, nowMs);
  if (version === knownVersion) return { version, isKnown: true, groups: Buffer.alloc(0) };
  const groups = toGroups(await listGroups(ctx.db, realmId, nowMs));
  const shown = groups.filter(({ isDeactivated }) => includesDeactivated || !isDeactivated);
  return { version, isKnown: false, groups: Buffer.from(JSON.stringify(shown.map(publicGroup))) };
}
