import { BadRequestError, NothingToDoError } from '@parley/shared/errors';
import { prismaTransaction } from '@parley/shared/prisma';
import type {
  CreatedInvitationLink,
  CreateInvitationLinkRequest,
  InvitationTerms,
  InviteFacts,
  RevokeInvitationLinkRequest,
  RevokeInvitationLinkResponse,
  User,
} from '@parley/shared/proto';
import { findFirstAnswer, type KeyedRequest, keyedRequest, storeFirstAnswer } from '@parley/shared/request-keys';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import type { Context } from '../context';
import { issueKeys, keyUrl, showKeys } from '../keys/invitation-keys';
import { deleteKeys } from '../keys/keys.sql';
import { type FirstAnswer, meaningOf } from '../request-keys/first-answer';
import { announceInvitationsChanged } from './invitations';
import type { Grant } from './invitations.sql';
import { holdInviter, loadFacts, noSuchInvitation } from './inviter';
import { findOpenLink, findUnexpiredLink } from './open-invitations';
import { requireMayCreateLinks, requireMayInviteAs, requireMayManage, requireMayWelcome } from './permissions';
import { checkContent, checkTerms, grantFromTerms } from './terms';

/** Makes a reusable link. A repeated request with the same idempotency key gets the same link. */
export async function createInvitationLink(
  ctx: Context,
  caller: Caller,
  request: CreateInvitationLinkRequest,
): Promise<CreatedInvitationLink> {
  const terms = request.terms as InvitationTerms;
  const { channelIds, groupIds } = terms;
  const facts = await ctx.services.realm.getInviteFacts(caller, { channelIds, groupIds, emails: [] });
  const keyed = keyedRequest(caller, 'link', request.idempotencyKey, meaningOf(terms));
  const first = await findFirstAnswer<FirstAnswer>(ctx, ctx.db, keyed);
  if (first?.linkId) await requireOpen(ctx, caller, first.linkId);
  else checkRequest(facts, terms);
  const id = first?.linkId ?? (await store(ctx, caller, { facts, terms, keyed }));
  const keys = await showKeys(ctx, { realmId: caller.realmId, kind: 'link', ids: [id] });
  const organization = { subdomain: facts.subdomain, externalHost: ctx.config.EXTERNAL_HOST };
  return { url: keyUrl('link', keys.get(id) as string, organization) };
}

/** A key of an invitation that is not open would be useless. */
async function requireOpen({ prisma, clock }: Context, { realmId }: Caller, linkId: number): Promise<void> {
  const link = await findOpenLink(prisma, realmId, linkId, clock.now());
  if (!link) throw new BadRequestError(REFUSAL.invitations.revoked);
}

function checkRequest(facts: InviteFacts, terms: InvitationTerms): void {
  const actor = facts.actor as User;
  requireMayCreateLinks(facts);
  checkTerms(terms);
  requireMayInviteAs(actor, terms.invitedAs);
  requireMayWelcome(actor, terms.welcomeText);
  checkContent(terms, facts);
}

function store(
  ctx: Context,
  caller: Caller,
  { facts, terms, keyed }: { facts: InviteFacts; terms: InvitationTerms; keyed: KeyedRequest | null },
): Promise<number> {
  const { administratorIds } = facts;
  const referrer = facts.actor as User;
  const { realmId } = referrer;
  return prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    await holdInviter(ctx, tx, caller);
    // Checked again under the lock: a concurrent repetition waited for it.
    const first = await findFirstAnswer<FirstAnswer>(ctx, tx, keyed);
    if (first?.linkId) return first.linkId;
    const { id } = await prisma.invitationLink.create({
      data: linkFrom(grantFromTerms(ctx, referrer, terms)),
      select: { id: true },
    });
    await issueKeys(ctx, tx, { realmId, kind: 'link', ids: [id] });
    await storeFirstAnswer(ctx, tx, keyed, { linkId: id, skipped: [] } satisfies FirstAnswer);
    await announceInvitationsChanged(
      tx,
      caller,
      { administratorIds, referrerId: referrer.id },
      { name: 'create-invitation-link', kind: 'invitation-link', ids: [id], after: { role: terms.invitedAs } },
    );
    return id;
  });
}

function linkFrom({ createdAtMs, validMinutes, channelIds, groupIds, ...grant }: Grant) {
  const expiresAt = validMinutes === null ? null : new Date(createdAtMs + validMinutes * 60_000);
  return {
    ...grant,
    channelIds: [...channelIds],
    groupIds: [...groupIds],
    createdAt: new Date(createdAtMs),
    expiresAt,
  };
}

/** Revokes a reusable link. */
export async function revokeInvitationLink(
  ctx: Context,
  caller: Caller,
  { linkId }: RevokeInvitationLinkRequest,
): Promise<RevokeInvitationLinkResponse> {
  const { realmId } = caller;
  const { actor, administratorIds } = await loadFacts(ctx, caller);
  const link = await findUnexpiredLink(ctx.prisma, realmId, linkId, ctx.clock.now());
  if (!link) throw noSuchInvitation();
  requireMayManage(actor, link);
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    const where = { realmId, id: linkId, isRevoked: false };
    const { count } = await prisma.invitationLink.updateMany({ where, data: { isRevoked: true } });
    if (count === 0) throw new NothingToDoError(REFUSAL.invitations.revoked);
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
