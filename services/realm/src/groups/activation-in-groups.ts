import type { Sql } from '@parley/shared/db';
import { type DomainEvent, groupMembersAdded, groupMembersRemoved } from '@parley/shared/events';
import { ROLES } from '@parley/shared/values';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { listGroupsOfUsers } from '../membership/group-members.sql';
import { listStandings } from '../membership/standing.sql';
import { SYSTEM_GROUPS } from '../membership/system-groups';
import { directGroups } from './system-group-moves';

interface Change {
  realmId: number;
  userIds: readonly number[];
  /** The new state: only active users count as members. */
  areActive: boolean;
  nowMs: number;
}

/** Events for the groups of users who are deactivated or active again: one for each group. */
export async function activationInGroups(
  sql: Sql,
  { realmId, userIds, areActive, nowMs }: Change,
): Promise<DomainEvent[]> {
  const announced = areActive ? groupMembersAdded : groupMembersRemoved;
  const groups = await listGroupsOfUsers(sql, realmId, userIds);
  const systemGroups = await listSystemGroups(sql, realmId, userIds, nowMs);
  return [...groups, ...systemGroups].map((group) => announced(realmId, group));
}

async function listSystemGroups(sql: Sql, realmId: number, userIds: readonly number[], nowMs: number) {
  const rows = await listStandings(sql, realmId, userIds, nowMs);
  const ids = await findSystemGroupIds(sql, realmId);
  const memberships = rows.map(({ userId, role, standing }) => ({
    userId,
    groups: directGroups({ role, isFullMember: standing <= ROLES.member }),
  }));
  return SYSTEM_GROUPS.map((group) => ({
    groupId: ids[group.name],
    isDeactivated: false,
    userIds: memberships.filter(({ groups }) => groups.includes(group)).map(({ userId }) => userId),
  })).filter((group) => group.userIds.length > 0);
}
