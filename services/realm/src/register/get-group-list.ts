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
  const { result } = await ctx.db.readAtOnce(async (sql) => {
    const version = await findGroupListVersion(sql, realmId, nowMs);
    return { version, rows: version === knownVersion ? null : await listGroups(sql, realmId, nowMs) };
  });
  const { version, rows } = result;
  if (rows === null) return { version, isKnown: true, groups: Buffer.alloc(0) };
  const groups = toGroups(rows);
  const shown = groups.filter(({ isDeactivated }) => includesDeactivated || !isDeactivated);
  return { version, isKnown: false, groups: Buffer.from(JSON.stringify(shown.map(publicGroup))) };
}
