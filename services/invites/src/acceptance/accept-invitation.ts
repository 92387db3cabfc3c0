import { createHash } from 'node:crypto';
import {
  BadRequestError,
  MissingParameterError,
  NoSuchInvitationError,
  PublicError,
  RateLimitHitError,
  ServiceUnavailableError,
} from '@parley/shared/errors';
import type {
  AcceptanceFacts,
  AcceptInvitationRequest,
  AcceptInvitationResponse,
  InvitedAccount,
  OpenInvitedAccountRequest,
} from '@parley/shared/proto';
import type { Call } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import type { Context } from '../context';
import { sortAddresses } from '../invitations/addresses';
import { noSuchInvitation } from '../invitations/inviter';
import { findOpenLink } from '../invitations/open-invitations';
import { deleteMailJobs, insertMailJobs } from '../mail-jobs/mail-jobs.sql';
import {
  type AcceptableInvitation,
  countAttempt,
  findInvitation,
  inviteByLink,
  lockAccepting,
  markAccepting,
  reopen,
} from './accepted.sql';
import { endRefused, finishAcceptance } from './finish-acceptance';
import { accessKey } from './look-up-invitation';

/** Enough to find a password that is accepted; each attempt costs as much as a sign-in. */
const ATTEMPTS_BY_KEY: AttemptLimit = { maxAttempts: 20, windowMs: 10 * 60_000 };
const ATTEMPTS_BY_LINK: AttemptLimit = { maxAttempts: 200, windowMs: 10 * 60_000 };

/** Accepts an invitation by its key. The key of a mail makes an account at once; a reusable link first sends a mail that proves the address. */
export async function acceptInvitation(
  ctx: Context,
  call: Call,
  request: AcceptInvitationRequest,
): Promise<AcceptInvitationResponse> {
  const { realmId, key } = request;
  const { invitationId, linkId } = await accessKey(ctx, realmId, key);
  await limitAttempts(ctx, realmId, `key ${key}`, linkId === null ? ATTEMPTS_BY_KEY : ATTEMPTS_BY_LINK);
  return linkId === null
    ? acceptByMail(ctx, call, request, invitationId as number)
    : confirmAddress(ctx, call, request, linkId);
}

/**
 * Makes the account of an e-mail invitation, once. The invitation is marked before realm is called, and its row stays locked during the call:
 * it cannot be accepted or revoked meanwhile, and finishHalfAccepted() completes what a crash interrupts.
 */
async function acceptByMail(
  ctx: Context,
  call: Call,
  request: AcceptInvitationRequest,
  invitationId: number,
): Promise<AcceptInvitationResponse> {
  const { realmId } = request;
  while (await markAccepting(ctx.db, realmId, invitationId, ctx.clock.now())) {
    const outcome = await openLocked(ctx, call, request, invitationId);
    if (outcome instanceof PublicError) throw outcome;
    // Null: a concurrent request that failed has just reopened it.
    if (outcome !== null) return toResponse(outcome);
  }
  return answerAgain(ctx, call, request, invitationId);
}

/** Realm's answer or refusal; null when the invitation is no longer being accepted. */
function openLocked(
  ctx: Context,
  call: Call,
  request: AcceptInvitationRequest,
  invitationId: number,
): Promise<InvitedAccount | PublicError | null> {
  const { realmId } = request;
  return ctx.db.transaction(async (tx) => {
    const invitation = await lockAccepting(tx, realmId, invitationId);
    if (!invitation) return null;
    const outcome = await openAccount(ctx, call, request, invitation);
    if (!(outcome instanceof PublicError)) await finishAcceptance(tx, { realmId, invitation, ...outcome });
    else if (outcome instanceof NoSuchInvitationError) await endRefused(ctx, tx, realmId, invitation);
    else await reopen(tx, realmId, invitationId);
    return outcome;
  });
}

async function openAccount(
  { services }: Context,
  call: Call,
  request: AcceptInvitationRequest,
  invitation: AcceptableInvitation,
): Promise<InvitedAccount | PublicError> {
  try {
    return await services.realm.openInvitedAccount(call, accountOf(request, invitation));
  } catch (error) {
    // After any other error the account may exist.
    if (error instanceof PublicError && !(error instanceof ServiceUnavailableError)) return error;
    throw error;
  }
}

function accountOf(request: AcceptInvitationRequest, invitation: AcceptableInvitation): OpenInvitedAccountRequest {
  const { realmId, fullName, password, email, timezone, emailAddressVisibility, defaultLanguage } = request;
  if (email !== undefined && email.trim().toLowerCase() !== invitation.email.toLowerCase()) {
    throw new BadRequestError(REFUSAL.links.otherAddress);
  }
  const { id: invitationId, invitedAs: role, welcomeText, state: _state, expiresAtMs: _end, ...given } = invitation;
  return {
    ...given,
    ...(welcomeText !== null && { welcomeText }),
    ...(password !== undefined && { password }),
    ...(emailAddressVisibility !== undefined && { emailAddressVisibility }),
    ...{ realmId, invitationId, role, fullName, timezone, defaultLanguage },
    defaultChannelGroups: request.defaultChannelGroups,
  };
}

/** A repeated request with the account's password gets the same answer: the first one may have been lost. */
async function answerAgain(
  ctx: Context,
  call: Call,
  request: AcceptInvitationRequest,
  invitationId: number,
): Promise<AcceptInvitationResponse> {
  const invitation = await findInvitation(ctx.db, request.realmId, invitationId);
  if (invitation?.state !== 'used') throw noSuchInvitation();
  return toResponse(await ctx.services.realm.openInvitedAccount(call, accountOf(request, invitation)));
}

function toResponse({ userId, email, deliveryEmail, apiKey }: InvitedAccount): AcceptInvitationResponse {
  if (apiKey === undefined) throw noSuchInvitation();
  return { isConfirmationRequired: false, userId, email, deliveryEmail, apiKey };
}

const HOUR_MS = 60 * 60_000;
/** Anybody with a link can send mails to any address. */
const MAILS_TO_ADDRESS: AttemptLimit = { maxAttempts: 3, windowMs: HOUR_MS };
const VALID_MS = 24 * HOUR_MS;

/** Mails a separate invitation to a person with a reusable link, so that accounts have confirmed addresses only. */
async function confirmAddress(
  ctx: Context,
  call: Call,
  { realmId, email: sentEmail }: AcceptInvitationRequest,
  linkId: number,
): Promise<AcceptInvitationResponse> {
  if (sentEmail === undefined) throw new MissingParameterError('email');
  const email = sentEmail.trim();
  if (!(await findOpenLink(ctx.prisma, realmId, linkId, ctx.clock.now()))) throw noSuchInvitation();
  const facts = await ctx.services.realm.getAcceptanceFacts(call, { realmId, emails: [email] });
  requireUsable(email, facts);
  await limitAttempts(ctx, realmId, `address ${email.toLowerCase()}`, MAILS_TO_ADDRESS);
  await store(ctx, { realmId, linkId, email, facts });
  return { isConfirmationRequired: true, userId: 0, email: '', deliveryEmail: email, apiKey: '' };
}

function requireUsable(email: string, { addresses }: AcceptanceFacts): void {
  const { invalid, taken } = sortAddresses([email], addresses);
  const [fault] = [...invalid, ...taken];
  if (fault) throw new BadRequestError(fault[1]);
}

async function store(
  { db, clock }: Context,
  { realmId, linkId, email, facts }: { realmId: number; linkId: number; email: string; facts: AcceptanceFacts },
): Promise<void> {
  const nowMs = clock.now();
  const { organizationName, subdomain, language } = facts;
  await db.transaction(async (tx) => {
    const id = await inviteByLink(tx, realmId, linkId, { email, nowMs, validMs: VALID_MS });
    if (id === null) throw noSuchInvitation();
    await deleteMailJobs(tx, realmId, [id]);
    const job = { realmId, template: 'address-confirmation', createdAtMs: nowMs, dueAtMs: nowMs } as const;
    await insertMailJobs(tx, { ...job, content: { organizationName, subdomain, language } }, [{ id, email }]);
  });
}

interface AttemptLimit {
  maxAttempts: number;
  windowMs: number;
}

/** Rate limit shared by all replicas. Only the hash of `subject` is stored. */
async function limitAttempts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  realmId: number,
  subject: string,
  limit: AttemptLimit,
): Promise<void> {
  const subjectHash = createHash('sha256').update(subject).digest();
  const mayTry = await countAttempt(db, { realmId, subjectHash, nowMs: clock.now() }, limit);
  if (!mayTry) throw new RateLimitHitError(Math.ceil(limit.windowMs / 1000));
}
