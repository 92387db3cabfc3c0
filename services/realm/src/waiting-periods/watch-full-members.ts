import type { Transaction } from '@parley/shared/db';
import { watchSight } from '../channels/channel-sight';
import { listChannelsSeenThrough } from '../channels/channel-sight.sql';
import { findAnnouncedUntilMs, markWaitingPeriodsAnnounced } from './waiting-periods.sql';

/** Who of an organization becomes a full member, or is one no more. */
export interface Moving {
  realmId: number;
  /** `role:fullmembers`. */
  groupId: number;
  userIds: readonly number[];
  nowMs: number;
}

/**
 * Does what makes users full members, or no more, and announces it; then tells them of the channels that appeared or vanished for
 * them with that, since waiting periods were last announced. The caller holds the organization's row.
 */
export async function watchFullMembers(
  tx: Transaction,
  { realmId, groupId, userIds, nowMs }: Moving,
  change: () => Promise<void>,
): Promise<void> {
  const channelIds = userIds.length === 0 ? [] : await listChannelsSeenThrough(tx, realmId, groupId);
  const announcedUntilMs = await findAnnouncedUntilMs(tx, realmId);
  await watchSight(tx, realmId, { userIds, channelIds }, nowMs, change, announcedUntilMs);
  await markWaitingPeriodsAnnounced(tx, realmId, nowMs);
}
