import { BadRequestError, PublicError, ServiceUnavailableError } from '@parley/shared/errors';
import type {
  AcceptInvitationRequest,
  AcceptInvitationResponse,
  InvitedAccount,
  OpenInvitedAccountRequest,
} from '@parley/shared/proto';
import type { Call } from '@parley/shared/rpc';
import type { Context } from '../context';
import { noSuchInvitation } from '../invitations/no-such-invitation';
import { type AcceptableInvitation, findInvitation, lockAccepting, markAccepting, reopen } from './accepted.sql';
import { finishAcceptance } from './finish-acceptance';

/**
 * Makes the account of an e-mail invitation, once. That it is being accepted is noted before realm is asked, and the row held while
 * it is: nobody accepts or revokes it meanwhile, and of what breaks off finishHalfAccepted() finds out how far it had come.
 */
export async function acceptByMail(
  ctx: Context,
  call: Call,
  request: AcceptInvitationRequest,
  invitationId: number,
): Promise<AcceptInvitationResponse> {
  const { realmId } = request;
  while (await markAccepting(ctx.db, realmId, invitationId, ctx.clock.now())) {
    const outcome = await openHeld(ctx, call, request, invitationId);
    if (outcome instanceof PublicError) throw outcome;
    // Null: another request, which was refused, has just opened it again.
    if (outcome !== null) return toResponse(outcome);
  }
  return answerAgain(ctx, call, request, invitationId);
}

/** What realm answers, or why it refuses; null when the invitation is not being accepted any more. */
function openHeld(
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
    if (outcome instanceof PublicError) await reopen(tx, realmId, invitationId);
    else await finishAcceptance(tx, { realmId, invitation, ...outcome });
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
    // Anything else tells nothing of whether there is an account now.
    if (error instanceof PublicError && !(error instanceof ServiceUnavailableError)) return error;
    throw error;
  }
}

function accountOf(request: AcceptInvitationRequest, invitation: AcceptableInvitation): OpenInvitedAccountRequest {
  const { realmId, fullName, password, email, timezone, emailAddressVisibility, defaultLanguage } = request;
  if (email !== undefined && email.trim().toLowerCase() !== invitation.email.toLowerCase()) {
    throw new BadRequestError('This invitation is for another email address.');
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

/** Whoever has made the account, and says so by its password, is answered as before: the first answer may have got lost. */
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
