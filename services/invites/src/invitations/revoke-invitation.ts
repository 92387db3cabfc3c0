import type { RevokeInvitationRequest, RevokeInvitationResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { deleteKeys } from '../keys/keys.sql';
import { deleteMailJobs } from '../mail-jobs/mail-jobs.sql';
import { announceInvitationsChanged } from './announce-invitations-changed';
import { findOpenInvitation, revokeOpenInvitation } from './invitations.sql';
import { loadFacts } from './load-facts';
import { noSuchInvitation } from './no-such-invitation';
import { requireMayManage } from './permissions';

/** Takes an e-mail invitation back: its key opens nothing any more. */
export async function revokeInvitation(
  ctx: Context,
  caller: Caller,
  { invitationId }: RevokeInvitationRequest,
): Promise<RevokeInvitationResponse> {
  const { realmId } = caller;
  const nowMs = ctx.clock.now();
  const { actor, administratorIds } = await loadFacts(ctx, caller);
  const invitation = await findOpenInvitation(ctx.db, realmId, nowMs, invitationId);
  if (!invitation) throw noSuchInvitation();
  requireMayManage(actor, invitation);
  await ctx.db.transaction(async (tx) => {
    if (!(await revokeOpenInvitation(tx, realmId, nowMs, invitationId))) throw noSuchInvitation();
    await deleteKeys(tx, realmId, 'invitation', [invitationId]);
    await deleteMailJobs(tx, realmId, [invitationId]);
    await announceInvitationsChanged(
      tx,
      caller,
      { administratorIds, referrerId: invitation.referrerId },
      { name: 'revoke-invitation', kind: 'invitation', ids: [invitationId] },
    );
  });
  return {};
}
