import { BadRequestError, InvitationFailedError, type SkippedAddress } from '@parley/shared/errors';
import type {
  InvitationTerms,
  InviteFacts,
  SendInvitationsRequest,
  SendInvitationsResponse,
  User,
} from '@parley/shared/proto';
import { findFirstAnswer, type KeyedRequest, keyedRequest, storeFirstAnswer } from '@parley/shared/request-keys';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import type { Context } from '../context';
import { issueKeys } from '../keys/invitation-keys';
import { mailContent, orderMails } from '../mail-jobs/mail-jobs';
import { type FirstAnswer, meaningOf } from '../request-keys/first-answer';
import { type SortedAddresses, sortAddresses, splitAddresses } from './addresses';
import { announceInvitationsChanged } from './invitations';
import { insertInvitations } from './invitations.sql';
import { countMails, holdInviter, requireUnderDailyLimit } from './inviter';
import { isTooNew, requireMayInvite, requireMayInviteAs, requireMayWelcome } from './permissions';
import { checkContent, checkTerms, grantFromTerms } from './terms';

const MAX_ADDRESSES = 1_000;

/**
 * Invites addresses by mail: none of them if one is invalid; those that have accounts are skipped. A repeated request with the same
 * idempotency key gets the first answer again.
 */
export async function sendInvitations(
  ctx: Context,
  caller: Caller,
  request: SendInvitationsRequest,
): Promise<SendInvitationsResponse> {
  const keyed = keyedRequest(caller, 'invitations', request.idempotencyKey, [
    request.emails,
    ...meaningOf(request.terms as InvitationTerms),
    request.notifiesReferrer,
  ]);
  const first = await findFirstAnswer<FirstAnswer>(ctx, ctx.db, keyed);
  return answer(first ? first.skipped : await invite(ctx, caller, request, keyed));
}

function answer(skipped: SkippedAddress[]): SendInvitationsResponse {
  if (skipped.length > 0) throw someAreTaken(skipped);
  return {};
}

/** Returns the skipped addresses. */
async function invite(
  ctx: Context,
  caller: Caller,
  request: SendInvitationsRequest,
  keyed: KeyedRequest | null,
): Promise<SkippedAddress[]> {
  const terms = request.terms as InvitationTerms;
  const emails = splitAddresses(request.emails);
  const { channelIds, groupIds } = terms;
  const looked = emails.length > MAX_ADDRESSES ? [] : emails;
  const facts = await ctx.services.realm.getInviteFacts(caller, { channelIds, groupIds, emails: looked });
  checkRequest(facts, terms, emails.length);
  await requireUnderDailyLimit(ctx, caller.realmId, emails.length);
  requireOldEnough(ctx, facts);
  const sorted = sortAddresses(emails, facts.addresses);
  requireSomebody(sorted);
  return store(ctx, caller, { facts, request, keyed, sorted });
}

function checkRequest(facts: InviteFacts, terms: InvitationTerms, addressCount: number): void {
  const actor = facts.actor as User;
  requireMayInvite(facts);
  checkTerms(terms);
  requireMayInviteAs(actor, terms.invitedAs);
  requireMayWelcome(actor, terms.welcomeText);
  if (addressCount === 0) throw new BadRequestError(REFUSAL.invitations.noAddress);
  if (addressCount > MAX_ADDRESSES) throw new BadRequestError(REFUSAL.invitations.tooMany(String(MAX_ADDRESSES)));
  checkContent(terms, facts);
}

function requireOldEnough({ clock }: Context, { actor, isInviteRequired }: InviteFacts): void {
  if (!isTooNew(actor as User, isInviteRequired, clock.now())) return;
  throw new InvitationFailedError(REFUSAL.invitations.tooNew);
}

function requireSomebody({ invalid, taken, free }: SortedAddresses): void {
  if (invalid.length > 0) {
    throw new InvitationFailedError(REFUSAL.invitations.someInvalid, {
      skipped: [...invalid, ...taken],
    });
  }
  if (free.length === 0) throw new InvitationFailedError(REFUSAL.invitations.nobody, { skipped: taken });
}

interface Decided {
  facts: InviteFacts;
  request: SendInvitationsRequest;
  keyed: KeyedRequest | null;
  sorted: SortedAddresses;
}

async function store(
  ctx: Context,
  caller: Caller,
  { facts, request, keyed, sorted: { free: emails, taken: skipped } }: Decided,
): Promise<SkippedAddress[]> {
  const { terms, notifiesReferrer } = request;
  const actor = facts.actor as User;
  const { realmId } = actor;
  const grant = grantFromTerms(ctx, actor, terms as InvitationTerms);
  const { validMinutes, createdAtMs: nowMs } = grant;
  return ctx.db.transaction(async (tx) => {
    await holdInviter(ctx, tx, caller);
    // Checked again under the lock: a concurrent repetition waited for it.
    const first = await findFirstAnswer<FirstAnswer>(ctx, tx, keyed);
    if (first) return first.skipped;
    const invitations = await insertInvitations(tx, { ...grant, notifiesReferrer }, emails);
    const ids = invitations.map(({ id }) => id);
    await issueKeys(ctx, tx, { realmId, kind: 'invitation', ids });
    await orderMails(tx, { realmId, content: mailContent(facts), nowMs, validMinutes, invitations });
    await countMails(ctx, tx, realmId, invitations.length);
    await storeFirstAnswer(ctx, tx, keyed, { linkId: null, skipped } satisfies FirstAnswer);
    await announceInvitationsChanged(
      tx,
      caller,
      { administratorIds: facts.administratorIds, referrerId: actor.id },
      { name: 'send-invitations', kind: 'invitation', ids, after: { role: grant.invitedAs } },
    );
    return skipped;
  });
}

function someAreTaken(skipped: SkippedAddress[]): InvitationFailedError {
  return new InvitationFailedError(REFUSAL.invitations.someHaveAccounts, { skipped, areOthersInvited: true });
}
