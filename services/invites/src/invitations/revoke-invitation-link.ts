import { BadRequestError } from '@parley/shared/errors';
import type { RevokeInvitationLinkRequest, RevokeInvitationLinkResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { deleteKeys } from '../keys/keys.sql';
import { announceInvitationsChanged } from './announce-invitations-changed';
import { findLink, revokeLink } from './links.sql';
import { loadFacts } from './load-facts';
import { noSuchInvitation } from './no-such-invitation';
import { requireMayManage } from './permissions';

/** Takes a reusable link back: it opens nothing any more. */
export async function revokeInvitationLink(
  ctx: Context,
  caller: Caller,
  { linkId }: RevokeInvitationLinkRequest,
): Promise<RevokeInvitationLinkResponse> {
  const { realmId } = caller;
  const { actor, administratorIds } = await loadFacts(ctx, caller);
  const link = await findLink(ctx.db, realmId, ctx.clock.now(), linkId);
  if (!link) throw noSuchInvitation();
  requireMayManage(actor, link);
  await ctx.db.transaction(async (tx) => {
    if (!(await revokeLink(tx, realmId, linkId))) throw new BadRequestError('Invitation has already been revoked');
    await deleteKeys(tx, realmId, 'link', [linkId]);
    await announceInvitationsChanged(
      tx,
      caller,
      { administratorIds, referrerId: link.referrerId },
      { name: 'revoke-invitation-link', kind: 'invitation-link', ids: [linkId] },
    );
  });
  return {};
}
