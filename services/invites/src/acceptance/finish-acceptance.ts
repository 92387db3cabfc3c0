import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { invitationsChanged } from '@parley/shared/events';
import { deleteKeys } from '../keys/keys.sql';
import { deleteMailJobs } from '../mail-jobs/mail-jobs.sql';
import { markUsed, revokeOthersOf } from './accepted.sql';

export interface Acceptance {
  realmId: number;
  invitation: { id: number; email: string; referrerId: number };
  userId: number;
  administratorIds: readonly number[];
}

/** An account was made of the invitation: whatever else there is for that address is of no use any more. */
export async function finishAcceptance(
  tx: Transaction,
  { realmId, invitation, userId, administratorIds }: Acceptance,
): Promise<void> {
  await markUsed(tx, realmId, invitation.id, userId);
  const others = await revokeOthersOf(tx, realmId, invitation);
  const otherIds = others.map(({ id }) => id);
  await deleteKeys(tx, realmId, 'invitation', otherIds);
  await deleteMailJobs(tx, realmId, [invitation.id, ...otherIds]);
  const referrerIds = [invitation, ...others].map(({ referrerId }) => referrerId);
  await announce(tx, invitationsChanged(realmId, { receiverIds: [...new Set([...administratorIds, ...referrerIds])] }));
}
