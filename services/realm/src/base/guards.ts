import { BadRequestError, UnauthorizedPrincipalError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { isAdministrator, isGuest, ROLES } from '@parley/shared/values';

/** Refuses callers who are bots. */
export function requirePerson({ isBot }: Pick<User, 'isBot'>): void {
  if (isBot) throw new BadRequestError('This endpoint does not accept bot requests.');
}

/** Refuses callers who do not administer the organization. */
export function requireAdministrator({ role }: Pick<User, 'role'>): void {
  if (!isAdministrator(role)) throw new UnauthorizedPrincipalError(REFUSAL.people.adminsOnly);
}

/** Refuses callers who do not own the organization. */
export function requireOwner({ role }: Pick<User, 'role'>): void {
  if (role !== ROLES.owner) throw new UnauthorizedPrincipalError(REFUSAL.people.ownersOnly);
}

/** Refuses guests. */
export function requireNonGuest({ role }: Pick<User, 'role'>): void {
  if (isGuest(role)) throw new BadRequestError(REFUSAL.people.noGuests);
}

/** Refuses guests and bots. */
export function requireMember(actor: Pick<User, 'role' | 'isBot'>): void {
  requireNonGuest(actor);
  requirePerson(actor);
}
