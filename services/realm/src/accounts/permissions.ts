import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { isAdministrator, isGuest, type RealmSettings, ROLES } from '@parley/shared/values';
import { requireAdministrator, requireOwner } from '../base/guards';

type Account = Pick<User, 'id' | 'role' | 'isBot' | 'botOwnerId'>;

/** Whether the actor may administer the account: administrators all accounts, owners their bots. */
export function mayAdminister(actor: Pick<User, 'id' | 'role'>, account: Account): boolean {
  return isAdministrator(actor.role) || (account.isBot && account.botOwnerId === actor.id);
}

export function requireMayAdminister(actor: Pick<User, 'id' | 'role'>, account: Account): void {
  if (!mayAdminister(actor, account)) throw new InsufficientPermissionError();
  if (isOwnersBot(account)) requireOwner(actor);
}

/** A bot with the role of owner: its key gives an owner's rights, so only owners may use it, even if others own the bot. */
export function isOwnersBot({ isBot, role }: Pick<User, 'isBot' | 'role'>): boolean {
  return isBot && role === ROLES.owner;
}

/** Refuses a change of role without permission, one of the last owner (`isLastOwner`), and one from guest to administrator. */
export function requireMayChangeRole(
  actor: Pick<User, 'role'>,
  account: Pick<User, 'role'>,
  role: number,
  isLastOwner: boolean,
): void {
  if (role === ROLES.owner || account.role === ROLES.owner) requireOwner(actor);
  else requireAdministrator(actor);
  if (isLastOwner) {
    throw new BadRequestError(REFUSAL.people.lastOwner);
  }
  if (isGuest(account.role) && isAdministrator(role)) {
    throw new BadRequestError('Guests cannot be organization administrators');
  }
}

/**
 * Refuses a deactivation without permission, and one of the only active owner. Bots are deactivated with their owner, so the actor
 * needs the right for each of them.
 */
export function requireMayDeactivate(
  actor: Pick<User, 'role'>,
  person: Pick<User, 'role'>,
  has: { isLastOwner: boolean; ownsOwnersBot: boolean },
): void {
  if (person.role === ROLES.owner || has.ownsOwnersBot) requireOwner(actor);
  if (has.isLastOwner) throw new BadRequestError(REFUSAL.people.lastOwnerStays);
}

/** Whether accounts of the role sign in with a password, and may have one. */
export function maySignInByPassword(
  {
    authentication_methods: methods,
    password_sign_in: who,
  }: Pick<RealmSettings, 'authentication_methods' | 'password_sign_in'>,
  role: number,
): boolean {
  return methods.Email && (who === 'all' || (who === 'owners' && role === ROLES.owner));
}

/** Only accounts to which the operator gave the right create users. */
export function requireMayCreateUsers(actor: Pick<User, 'role'>, mayCreateUsers: boolean): void {
  requireAdministrator(actor);
  if (!mayCreateUsers) throw new BadRequestError('User not authorized to create users');
}

/** Only owners to whom the operator gave the right change others' addresses. */
export function requireMayChangeEmails(actor: Pick<User, 'role'>, mayChangeEmails: boolean): void {
  if (actor.role !== ROLES.owner || !mayChangeEmails) {
    throw new BadRequestError('User not authorized to change user emails');
  }
}
