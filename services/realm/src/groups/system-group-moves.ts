import type { Sql, Transaction } from '@parley/shared/db';
import { type DomainEvent, groupMembersAdded, groupMembersRemoved } from '@parley/shared/events';
import { ROLES } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { listMembersBetween } from '../membership/standing.sql';
import { SYSTEM_GROUPS, type SystemGroup, WAITING_MEMBER } from '../membership/system-groups';
import type { Moving } from '../waiting-periods/waiting-periods';
import { listEndedWaitingPeriods } from '../waiting-periods/waiting-periods.sql';

/** The facts that decide a user's direct system groups. */
export interface SystemGroupFacts extends Pick<Actor, 'isFullMember'> {
  role: number;
}

/**
 * Events for a changed role or waiting state: removal from the former direct system groups, addition to the present ones. Null: inactive
 * before or after.
 */
export async function systemGroupMoves(
  sql: Sql,
  realmId: number,
  userId: number,
  from: SystemGroupFacts | null,
  to: SystemGroupFacts | null,
): Promise<DomainEvent[]> {
  return movesOf(sql, realmId, [userId], from, to);
}

/** Events for new users who are alike: their additions to their direct system groups. */
export async function systemGroupArrivals(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
  facts: SystemGroupFacts,
): Promise<DomainEvent[]> {
  return movesOf(sql, realmId, userIds, null, facts);
}

async function movesOf(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
  from: SystemGroupFacts | null,
  to: SystemGroupFacts | null,
): Promise<DomainEvent[]> {
  const [left, joined] = [directGroups(from), directGroups(to)];
  const systemGroupIds = await findSystemGroupIds(sql, realmId);
  const move = ({ name }: SystemGroup) => ({
    groupId: systemGroupIds[name],
    isDeactivated: false,
    userIds: [...userIds],
  });
  return [
    ...left.filter((group) => !joined.includes(group)).map((group) => groupMembersRemoved(realmId, move(group))),
    ...joined.filter((group) => !left.includes(group)).map((group) => groupMembersAdded(realmId, move(group))),
  ];
}

/** The system groups that a user is directly in; null: an inactive user. */
export function directGroups(standing: SystemGroupFacts | null): SystemGroup[] {
  if (standing === null) return [];
  const { role, isFullMember } = standing;
  const rank = role === ROLES.member && !isFullMember ? WAITING_MEMBER : role;
  return SYSTEM_GROUPS.filter(({ directRole, widestStanding }) => directRole === role && rank <= (widestStanding ?? 0));
}

interface WaitingPeriodMoves {
  moving: Moving;
  /** Events for users who became full members, or ceased to be. */
  events: DomainEvent[];
}

/** The effects of changing an organization's waiting period. Loaded before the change. */
export async function findWaitingPeriodMoves(
  tx: Transaction,
  realmId: number,
  { formerDays, days }: { formerDays: number; days: number },
  nowMs: number,
): Promise<WaitingPeriodMoves> {
  const bounds = { shorterDays: Math.min(formerDays, days), longerDays: Math.max(formerDays, days) };
  // Ended periods that the hourly job has not announced yet: the new waiting period decides about them.
  const endedIds = await listEndedWaitingPeriods(tx, realmId, formerDays, nowMs);
  const movedIds = await listMembersBetween(tx, realmId, bounds, nowMs);
  const { 'role:fullmembers': groupId } = await findSystemGroupIds(tx, realmId);
  const move = (userIds: number[]) => ({ groupId, isDeactivated: false, userIds });
  const events = [
    ...(endedIds.length > 0 ? [groupMembersAdded(realmId, move(endedIds))] : []),
    ...(movedIds.length > 0
      ? [(days < formerDays ? groupMembersAdded : groupMembersRemoved)(realmId, move(movedIds))]
      : []),
  ];
  return { moving: { realmId, groupId, userIds: [...new Set([...endedIds, ...movedIds])], nowMs }, events };
}
