import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import { isAdministrator, isGuest, ROLES } from '@parley/shared/values';
import { requireAdministrator, requireOwner } from '../base/guards';

type Account = Pick<User, 'id' | 'role' | 'isBot' | 'botOwnerId'>;

/** May the actor administer the account? Administrators everybody's, owners of bots those. */
export function mayAdminister(actor: Pick<User, 'id' | 'role'>, account: Account): boolean {
  return isAdministrator(actor.role) || (account.isBot && account.botOwnerId === actor.id);
}

export function requireMayAdminister(actor: Pick<User, 'id' | 'role'>, account: Account): void {
  if (!mayAdminister(actor, account)) throw new InsufficientPermissionError();
  if (isOwnersBot(account)) requireOwner(actor);
}

/** Who has the key of such a bot is an owner: it is for owners alone, whoever it belongs to. */
export function isOwnersBot({ isBot, role }: Pick<User, 'isBot' | 'role'>): boolean {
  return isBot && role === ROLES.owner;
}

/** Refuses a change of role that the actor may not make, or that nobody may. `isLastOwner`: the account is the only active one. */
export function requireMayChangeRole(
  actor: Pick<User, 'role'>,
  account: Pick<User, 'role'>,
  role: number,
  isLastOwner: boolean,
): void {
  if (role === ROLES.owner || account.role === ROLES.owner) requireOwner(actor);
  else requireAdministrator(actor);
  if (isLastOwner) {
    throw new BadRequestError('The owner permission cannot be removed from the only organization owner.');
  }
  if (isGuest(account.role) && isAdministrator(role)) {
    throw new BadRequestError('Guests cannot be organization administrators');
  }
}

/**
 * Refuses to have a person deactivated by whom may not do that, and the only active owner at all. A person's bots go with them:
 * whoever may not deactivate one of those may not deactivate the person.
 */
export function requireMayDeactivate(
  actor: Pick<User, 'role'>,
  person: Pick<User, 'role'>,
  has: { isLastOwner: boolean; ownsOwnersBot: boolean },
): void {
  if (person.role === ROLES.owner || has.ownsOwnersBot) requireOwner(actor);
  if (has.isLastOwner) throw new BadRequestError('Cannot deactivate the only organization owner');
}

/** Refuses whom the operator does not let make accounts. */
export function requireMayCreateUsers(actor: Pick<User, 'role'>, mayCreateUsers: boolean): void {
  requireAdministrator(actor);
  if (!mayCreateUsers) throw new BadRequestError('User not authorized to create users');
}

/** Refuses whom the operator does not let change others' addresses. */
export function requireMayChangeEmails(actor: Pick<User, 'role'>, mayChangeEmails: boolean): void {
  if (actor.role !== ROLES.owner || !mayChangeEmails) {
    throw new BadRequestError('User not authorized to change user emails');
  }
}
