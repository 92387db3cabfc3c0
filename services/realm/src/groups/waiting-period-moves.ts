import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, groupMembersAdded, groupMembersRemoved } from '@parley/shared/events';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { listEndedWaitingPeriods } from '../waiting-periods/waiting-periods.sql';
import type { Moving } from '../waiting-periods/watch-full-members';
import { listMembersBetween } from './standing.sql';

export interface WaitingPeriodMoves {
  moving: Moving;
  /** What is to be announced: who is a full member by now, or no more. */
  events: DomainEvent[];
}

/** Who moves when an organization's waiting period is another. To be loaded before it is. */
export async function findWaitingPeriodMoves(
  tx: Transaction,
  realmId: number,
  { formerDays, days }: { formerDays: number; days: number },
  nowMs: number,
): Promise<WaitingPeriodMoves> {
  const bounds = { shorterDays: Math.min(formerDays, days), longerDays: Math.max(formerDays, days) };
  // What the hourly job has not come to: it goes by the new waiting period from now on.
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
