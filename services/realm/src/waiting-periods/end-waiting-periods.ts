import { announce } from '@parley/shared/bus';
import { groupMembersAdded } from '@parley/shared/events';
import type { Context } from '../context';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { lockRealm } from '../realms/lock-realm.sql';
import { listEndedWaitingPeriods, listRealmsWithEndedWaitingPeriods } from './waiting-periods.sql';
import { watchFullMembers } from './watch-full-members';

type Needed = Pick<Context, 'db' | 'clock'>;

/** Announces of every member whose waiting period has ended that they are full members now: once, whoever calls how often. */
export async function endWaitingPeriods({ db, clock }: Needed): Promise<void> {
  const nowMs = clock.now();
  for (const realmId of await listRealmsWithEndedWaitingPeriods(db, nowMs)) await endOf({ db, clock }, realmId);
}

async function endOf({ db, clock }: Needed, realmId: number): Promise<void> {
  await db.transaction(async (tx) => {
    await lockRealm(tx, realmId);
    const nowMs = clock.now();
    const userIds = await listEndedWaitingPeriods(tx, realmId, null, nowMs);
    if (userIds.length === 0) return;
    const { 'role:fullmembers': groupId } = await findSystemGroupIds(tx, realmId);
    await watchFullMembers(tx, { realmId, groupId, userIds, nowMs }, () =>
      announce(tx, groupMembersAdded(realmId, { groupId, isDeactivated: false, userIds })),
    );
  });
}
