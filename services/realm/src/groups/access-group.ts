import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { GroupSummary } from '@parley/shared/proto';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { possibleIds } from '../possible-values';
import { listGroups } from './groups.sql';
import { toGroup } from './to-group';

/** The named group, in use or not; its settings and members are those of now. */
export async function accessGroup(sql: Sql, realmId: number, groupId: number, nowMs: number): Promise<GroupSummary> {
  const [row] = await listGroups(sql, realmId, nowMs, possibleIds([groupId]));
  if (!row) throw new BadRequestError('Invalid user group');
  return toGroup(row, await findSystemGroupIds(sql, realmId));
}
