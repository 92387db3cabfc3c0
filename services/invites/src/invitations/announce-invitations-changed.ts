import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { invitationsChanged } from '@parley/shared/events';

/** Tells those who administer the organization, and whoever invited, that the list of invitations is another one now. */
export async function announceInvitationsChanged(
  tx: Transaction,
  realmId: number,
  administratorIds: readonly number[],
  referrerId: number,
): Promise<void> {
  await announce(tx, invitationsChanged(realmId, { receiverIds: [...new Set([...administratorIds, referrerId])] }));
}
