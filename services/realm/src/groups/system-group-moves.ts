import type { Sql } from '@parley/shared/db';
import { type DomainEvent, groupMembersAdded, groupMembersRemoved } from '@parley/shared/events';
import { ROLES } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { SYSTEM_GROUPS, type SystemGroup, WAITING_MEMBER } from './system-groups';

/** What decides in which system groups a user is directly. */
export interface Standing extends Pick<Actor, 'isFullMember'> {
  role: number;
}

/**
 * What is to be announced when a user's standing changes: out of the system groups they were directly in, into those they are now.
 * Null: not active, before or after.
 */
export async function systemGroupMoves(
  sql: Sql,
  realmId: number,
  userId: number,
  from: Standing | null,
  to: Standing | null,
): Promise<DomainEvent[]> {
  const [left, joined] = [directGroups(from), directGroups(to)];
  const systemGroupIds = await findSystemGroupIds(sql, realmId);
  const move = ({ name }: SystemGroup) => ({
    groupId: systemGroupIds[name],
    isDeactivated: false,
    userIds: [userId],
  });
  return [
    ...left.filter((group) => !joined.includes(group)).map((group) => groupMembersRemoved(realmId, move(group))),
    ...joined.filter((group) => !left.includes(group)).map((group) => groupMembersAdded(realmId, move(group))),
  ];
}

/** The system groups that a user is directly in; null: one who is not active. */
export function directGroups(standing: Standing | null): SystemGroup[] {
  if (standing === null) return [];
  const { role, isFullMember } = standing;
  const rank = role === ROLES.member && !isFullMember ? WAITING_MEMBER : role;
  return SYSTEM_GROUPS.filter(({ directRole, widestStanding }) => directRole === role && rank <= (widestStanding ?? 0));
}
