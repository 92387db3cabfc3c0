import { announce } from '@parley/shared/bus';
import { actPerformed } from '@parley/shared/events';
import type { InviteFacts, ResendInvitationRequest, ResendInvitationResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { mailContent } from '../mail-jobs/mail-content';
import { deleteMailJobs } from '../mail-jobs/mail-jobs.sql';
import { orderMails } from '../mail-jobs/order-mails';
import { countMails, requireUnderDailyLimit } from './daily-limit';
import { findOpenInvitation, type OpenInvitation, prolongInvitation } from './invitations.sql';
import { loadFacts } from './load-facts';
import { noSuchInvitation } from './no-such-invitation';
import { requireMayManage } from './permissions';

/** Sends an invitation once more, with the same key; from now on it is valid for as long as it was at first. */
export async function resendInvitation(
  ctx: Context,
  caller: Caller,
  { invitationId }: ResendInvitationRequest,
): Promise<ResendInvitationResponse> {
  const { realmId } = caller;
  const nowMs = ctx.clock.now();
  const facts = await loadFacts(ctx, caller);
  const invitation = await findOpenInvitation(ctx.db, realmId, nowMs, invitationId);
  if (!invitation) throw noSuchInvitation();
  requireMayManage(facts.actor, invitation);
  await requireUnderDailyLimit(ctx, ctx.db, realmId, 1);
  await store(ctx, caller, { facts, invitation, nowMs });
  return {};
}

/** Clients are told nothing: the list of invitations has the same ones as before. */
async function store(
  ctx: Context,
  { realmId, userId, requestId, clientAddress: address }: Caller,
  { facts, invitation, nowMs }: { facts: InviteFacts; invitation: OpenInvitation; nowMs: number },
): Promise<void> {
  const { id, validMinutes } = invitation;
  const origin = { requestId, ...(address !== undefined && { address }) };
  await ctx.db.transaction(async (tx) => {
    if (!(await prolongInvitation(tx, realmId, nowMs, id))) throw noSuchInvitation();
    await deleteMailJobs(tx, realmId, [id], 'invitation-reminder');
    await orderMails(tx, { realmId, content: mailContent(facts), nowMs, validMinutes, invitations: [invitation] });
    await countMails(ctx, tx, realmId, 1);
    const act = { name: 'resend-invitation', actor: { kind: 'user' as const, id: userId }, ...origin };
    await announce(tx, actPerformed(realmId, { ...act, kind: 'invitation', ids: [id] }));
  });
}
