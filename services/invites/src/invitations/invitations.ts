import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { actPerformed, type InvitationAct, invitationsChanged } from '@parley/shared/events';
import { prismaTransaction } from '@parley/shared/prisma';
import type {
  InvitationList,
  InviteFacts,
  ResendInvitationRequest,
  ResendInvitationResponse,
  RevokeInvitationRequest,
  RevokeInvitationResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isAdministrator } from '@parley/shared/values';
import type { Context } from '../context';
import { keyUrl, showKeys } from '../keys/invitation-keys';
import { deleteKeys } from '../keys/keys.sql';
import { mailContent, orderMails } from '../mail-jobs/mail-jobs';
import { deleteMailJobs } from '../mail-jobs/mail-jobs.sql';
import { listOpenInvitations, listOpenLinks, lockInvitation } from './invitations.sql';
import { countMails, loadFacts, noSuchInvitation, requireUnderDailyLimit } from './inviter';
import { findOpenInvitation, isOpen, type OpenInvitation } from './open-invitations';
import { requireMayManage } from './permissions';

/** Open invitations, e-mail invitations before links: the caller's own, or all for administrators. */
export async function listInvitations(ctx: Context, caller: Caller): Promise<InvitationList> {
  const { actor, subdomain } = await loadFacts(ctx, caller);
  const { realmId } = actor;
  const nowMs = ctx.clock.now();
  const referrerId = isAdministrator(actor.role) ? null : actor.id;
  const invitations = await listOpenInvitations(ctx.db, realmId, nowMs, referrerId);
  const links = await listOpenLinks(ctx.db, realmId, nowMs, referrerId);
  const keys = await showKeys(ctx, { realmId, kind: 'link', ids: links.map(({ id }) => id) });
  const organization = { subdomain, externalHost: ctx.config.EXTERNAL_HOST };
  const linkUrlOf = (id: number) => keyUrl('link', keys.get(id) as string, organization);
  return {
    invitations: [
      ...invitations.map(withoutNull),
      ...links.map((link) => ({ ...withoutNull(link), notifiesReferrer: false, linkUrl: linkUrlOf(link.id) })),
    ],
  };
}

/** An absent end is no end. */
function withoutNull<Row extends { expiresAtMs: number | null }>({ expiresAtMs, ...rest }: Row) {
  return { ...rest, ...(expiresAtMs !== null && { expiresAtMs }) };
}

/** Sends an invitation again with the same key, and renews its validity. */
export async function resendInvitation(
  ctx: Context,
  caller: Caller,
  { invitationId }: ResendInvitationRequest,
): Promise<ResendInvitationResponse> {
  const { realmId } = caller;
  const nowMs = ctx.clock.now();
  const facts = await loadFacts(ctx, caller);
  const invitation = await findOpenInvitation(ctx.prisma, realmId, invitationId, nowMs);
  if (!invitation) throw noSuchInvitation();
  requireMayManage(facts.actor, invitation);
  await requireUnderDailyLimit(ctx, realmId, 1);
  await store(ctx, caller, { facts, invitation, nowMs });
  return {};
}

/** No event for clients: the list of invitations is unchanged. */
async function store(
  ctx: Context,
  { realmId, userId, requestId, clientAddress: address }: Caller,
  { facts, invitation, nowMs }: { facts: InviteFacts; invitation: OpenInvitation; nowMs: number },
): Promise<void> {
  const { id, validMinutes } = invitation;
  const origin = { requestId, ...(address !== undefined && { address }) };
  const expiresAt = validMinutes === null ? null : new Date(nowMs + validMinutes * 60_000);
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    const where = { ...isOpen(realmId, nowMs), id };
    const { count } = await prisma.invitation.updateMany({ where, data: { expiresAt } });
    if (count === 0) throw noSuchInvitation();
    await deleteMailJobs(tx, realmId, [id], 'invitation-reminder');
    await orderMails(tx, { realmId, content: mailContent(facts), nowMs, validMinutes, invitations: [invitation] });
    await countMails(ctx, tx, realmId, 1);
    const act = { name: 'resend-invitation', actor: { kind: 'user' as const, id: userId }, ...origin };
    await announce(tx, actPerformed(realmId, { ...act, kind: 'invitation', ids: [id] }));
  });
}

/** Revokes an e-mail invitation and its keys. */
export async function revokeInvitation(
  ctx: Context,
  caller: Caller,
  { invitationId }: RevokeInvitationRequest,
): Promise<RevokeInvitationResponse> {
  const { realmId } = caller;
  const nowMs = ctx.clock.now();
  const { actor, administratorIds } = await loadFacts(ctx, caller);
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    // It is open again when an attempt to accept it fails.
    await lockInvitation(tx, realmId, invitationId);
    const invitation = await findOpenInvitation(prisma, realmId, invitationId, nowMs);
    if (!invitation) throw noSuchInvitation();
    requireMayManage(actor, invitation);
    const where = { ...isOpen(realmId, nowMs), id: invitationId };
    await prisma.invitation.updateMany({ where, data: { state: 'revoked' } });
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

type Act = Omit<InvitationAct, 'actorId' | 'requestId' | 'address'>;

/** Notifies administrators and the inviter of a changed list of invitations. */
export async function announceInvitationsChanged(
  tx: Transaction,
  { realmId, userId: actorId, requestId, clientAddress: address }: Caller,
  receivers: { administratorIds: readonly number[]; referrerId: number },
  act: Act,
): Promise<void> {
  const receiverIds = [...new Set([...receivers.administratorIds, receivers.referrerId])];
  const origin = address === undefined ? {} : { address };
  await announce(tx, invitationsChanged(realmId, { receiverIds, act: { ...act, actorId, requestId, ...origin } }));
}
