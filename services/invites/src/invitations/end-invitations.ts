import type { Transaction } from '@parley/shared/db';
import { deleteKeys } from '../keys/keys.sql';
import { deleteMailJobs } from '../mail-jobs/mail-jobs.sql';
import { revokeInvitationsOf } from './invitations.sql';
import { revokeLinksOf } from './links.sql';

/** Revokes all that these users, or where that is null all users, have invited; false when there was nothing. */
export async function endInvitations(
  tx: Transaction,
  realmId: number,
  referrerIds: readonly number[] | null,
): Promise<boolean> {
  const invitationIds = await revokeInvitationsOf(tx, realmId, referrerIds);
  const linkIds = await revokeLinksOf(tx, realmId, referrerIds);
  await deleteKeys(tx, realmId, 'invitation', invitationIds);
  await deleteKeys(tx, realmId, 'link', linkIds);
  await deleteMailJobs(tx, realmId, invitationIds);
  return invitationIds.length + linkIds.length > 0;
}
