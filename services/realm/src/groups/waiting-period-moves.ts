import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, groupMembersAdded, groupMembersRemoved } from '@parley/shared/events';
import type { RealmSettings } from '@parley/shared/values';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { listEndedWaitingPeriods, markWaitingPeriodsAnnounced } from '../waiting-periods/waiting-periods.sql';
import { listMembersBetween } from './standing.sql';

/** What is to be announced when an organization's waiting period is another: who is a full member by now, or no more. */
export async function waitingPeriodMoves(
  tx: Transaction,
  realmId: number,
  { waiting_period_threshold: formerDays }: RealmSettings,
  { waiting_period_threshold: days }: Partial<RealmSettings>,
  nowMs: number,
): Promise<DomainEvent[]> {
  if (days === undefined) return [];
  const bounds = { shorterDays: Math.min(formerDays, days), longerDays: Math.max(formerDays, days) };
  // What the hourly job has not come to: it goes by the new waiting period from now on.
  const endedIds = await listEndedWaitingPeriods(tx, realmId, formerDays, nowMs);
  const userIds = await listMembersBetween(tx, realmId, bounds, nowMs);
  await markWaitingPeriodsAnnounced(tx, realmId, nowMs);
  const { 'role:fullmembers': groupId } = await findSystemGroupIds(tx, realmId);
  const move = (ids: number[]) => ({ groupId, isDeactivated: false, userIds: ids });
  return [
    ...(endedIds.length > 0 ? [groupMembersAdded(realmId, move(endedIds))] : []),
    ...(userIds.length > 0
      ? [(days < formerDays ? groupMembersAdded : groupMembersRemoved)(realmId, move(userIds))]
      : []),
  ];
}
