import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { groupMembersAdded } from '@parley/shared/events';
import { runPeriodically } from '@parley/shared/jobs';
import { watchVisibility } from '../channel-access/channel-visibility';
import { lockChannelsSeenThrough } from '../channel-access/channel-visibility.sql';
import type { Context } from '../context';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { lockRealm } from '../organization/realms.sql';
import {
  findAnnouncedUntilMs,
  listEndedWaitingPeriods,
  listRealmsWithEndedWaitingPeriods,
  markWaitingPeriodsAnnounced,
} from './waiting-periods.sql';

const EVERY_MS = 60 * 60_000;
const LOCK = 'parley-waiting-periods';

/** Ends waiting periods every hour, on one replica at a time, until the returned function is called. */
export function endWaitingPeriodsPeriodically(ctx: Pick<Context, 'db' | 'clock' | 'log'>): () => Promise<void> {
  const lock = { url: ctx.db.url, name: LOCK };
  const failure = 'ended waiting periods were not announced';
  return runPeriodically(ctx, { everyMs: EVERY_MS, failure, lock }, () => endWaitingPeriods(ctx));
}

type Needed = Pick<Context, 'db' | 'clock'>;

/** Announces members whose waiting period has ended as full members, once, however often it is called. */
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

/** Users who become full members, or cease to be. */
export interface Moving {
  realmId: number;
  /** `role:fullmembers`. */
  groupId: number;
  userIds: readonly number[];
  nowMs: number;
}

/**
 * Runs a change of who is a full member, and announces it, then channels that appeared or vanished because of it, since the last
 * announcement of waiting periods. The caller has locked the organization's row.
 */
export async function watchFullMembers(
  tx: Transaction,
  { realmId, groupId, userIds, nowMs }: Moving,
  change: () => Promise<void>,
): Promise<void> {
  const channelIds = userIds.length === 0 ? [] : await lockChannelsSeenThrough(tx, realmId, groupId);
  const announcedUntilMs = await findAnnouncedUntilMs(tx, realmId);
  await watchVisibility(tx, realmId, { userIds, channelIds }, nowMs, change, announcedUntilMs);
  await markWaitingPeriodsAnnounced(tx, realmId, nowMs);
}
