import { BadRequestError, InsufficientPermissionError, UnauthorizedPrincipalError } from '@parley/shared/errors';
import type { InviteFacts, User } from '@parley/shared/proto';
import { isAdministrator, ROLES } from '@parley/shared/values';

const DAY_MS = 24 * 60 * 60_000;
/** In organizations that anybody may join, newer accounts do not invite: spammers do not wait. */
const MIN_AGE_MS = 3 * DAY_MS;

type Inviter = Pick<User, 'id' | 'role'>;

/** Refuses who may not send invitations. */
export function requireMayInvite({ mayInvite }: Pick<InviteFacts, 'mayInvite'>): void {
  if (!mayInvite) throw new InsufficientPermissionError();
}

/** Refuses who may not make reusable links. */
export function requireMayCreateLinks({ mayCreateLinks }: Pick<InviteFacts, 'mayCreateLinks'>): void {
  if (!mayCreateLinks) throw new InsufficientPermissionError();
}

/** Nobody makes anybody more than they are themselves. */
export function requireMayInviteAs({ role }: Pick<Inviter, 'role'>, invitedAs: number): void {
  if (invitedAs < role) throw invitedAs === ROLES.owner ? notOwner() : notAdministrator();
}

/** What new people are told is for administrators to say. */
export function requireMayWelcome({ role }: Pick<Inviter, 'role'>, welcomeText: string | undefined): void {
  if (welcomeText !== undefined && !isAdministrator(role)) throw notAdministrator();
}

/** One's own invitations one may revoke and send again; administrators everybody's, but those of owners. */
export function requireMayManage(actor: Inviter, invitation: { referrerId: number; invitedAs: number }): void {
  if (invitation.referrerId === actor.id) return;
  if (invitation.invitedAs === ROLES.owner && actor.role !== ROLES.owner) throw notOwner();
  if (!isAdministrator(actor.role)) throw notAdministrator();
}

/** Is the account too new to send mails to strangers? */
export function isTooNew(
  { role, joinedAtMs }: Pick<User, 'role' | 'joinedAtMs'>,
  isInviteRequired: boolean,
  nowMs: number,
) {
  return !isInviteRequired && !isAdministrator(role) && nowMs - joinedAtMs < MIN_AGE_MS;
}

function notOwner(): UnauthorizedPrincipalError {
  return new UnauthorizedPrincipalError('Must be an organization owner');
}

/** NOTE: clients know this sentence with two codes; invitations refuse with this one. */
function notAdministrator(): BadRequestError {
  return new BadRequestError('Must be an organization administrator');
}
