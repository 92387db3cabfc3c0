import type { FindInvitedAccountRequest, FoundInvitedAccount } from '@parley/shared/proto';
import type { Context } from '../context';
import { listAdministrators } from '../invite-facts/invite-facts.sql';
import { findInvitedAccount as find } from './invited-accounts.sql';

/** Whether an account was made of an invitation: for whoever did not hear the answer. */
export async function findInvitedAccount(
  { db }: Context,
  { realmId, invitationId }: FindInvitedAccountRequest,
): Promise<FoundInvitedAccount> {
  const account = await find(db, realmId, invitationId);
  return {
    ...(account && { userId: account.userId }),
    administratorIds: await listAdministrators(db, realmId),
  };
}
