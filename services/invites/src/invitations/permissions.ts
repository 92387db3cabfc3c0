import { BadRequestError, InsufficientPermissionError, UnauthorizedPrincipalError } from '@parley/shared/errors';
import type { InviteFacts, User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { isAdministrator, ROLES } from '@parley/shared/values';

const DAY_MS = 24 * 60 * 60_000;
/** In organizations open to everybody, new accounts cannot invite: it slows spammers down. */
const MIN_AGE_MS = 3 * DAY_MS;

type Inviter = Pick<User, 'id' | 'role'>;

/** Refuses callers without the permission to send invitations. */
export function requireMayInvite({ mayInvite }: Pick<InviteFacts, 'mayInvite'>): void {
  if (!mayInvite) throw new InsufficientPermissionError();
}

/** Refuses callers without the permission to create reusable links. */
export function requireMayCreateLinks({ mayCreateLinks }: Pick<InviteFacts, 'mayCreateLinks'>): void {
  if (!mayCreateLinks) throw new InsufficientPermissionError();
}

/** Refuses a role above the inviter's own. */
export function requireMayInviteAs({ role }: Pick<Inviter, 'role'>, invitedAs: number): void {
  if (invitedAs < role) throw invitedAs === ROLES.owner ? notOwner() : notAdministrator();
}

/** Only administrators may change the welcome text. */
export function requireMayWelcome({ role }: Pick<Inviter, 'role'>, welcomeText: string | undefined): void {
  if (welcomeText !== undefined && !isAdministrator(role)) throw notAdministrator();
}

/** Users may revoke and resend their own invitations; administrators all except those for owners. */
export function requireMayManage(actor: Inviter, invitation: { referrerId: number; invitedAs: number }): void {
  if (invitation.referrerId === actor.id) return;
  if (invitation.invitedAs === ROLES.owner && actor.role !== ROLES.owner) throw notOwner();
  if (!isAdministrator(actor.role)) throw notAdministrator();
}

/** Whether the account is too new to send mails to strangers. */
export function isTooNew(
  { role, joinedAtMs }: Pick<User, 'role' | 'joinedAtMs'>,
  isInviteRequired: boolean,
  nowMs: number,
) {
  return !isInviteRequired && !isAdministrator(role) && nowMs - joinedAtMs < MIN_AGE_MS;
}

function notOwner(): UnauthorizedPrincipalError {
  return new UnauthorizedPrincipalError(REFUSAL.people.ownersOnly);
}

/** NOTE: the API documents this text with two codes; invitations use this one. */
function notAdministrator(): BadRequestError {
  return new BadRequestError(REFUSAL.people.adminsOnly);
}
