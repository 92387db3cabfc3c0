import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, EmailInUseError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import { isEmailAddress, ROLES } from '@parley/shared/values';
import { findUser } from '../accounts/users.sql';
import type { Context } from '../context';
import { openOutsideAccount, outsideName } from '../directory/outside-accounts';
import { changeEmail } from '../people/change-email';
import { changeFullName, checkNameIsFree } from '../people/full-name';
import { deactivateAccount, isLastOwner } from '../users/deactivate-user';
import { reactivateAccount } from '../users/reactivate-user';
import { invalidValue, scimError, taken } from './scim-error';
import type { WantedUser } from './user-document';
import { storeScimUser } from './users.sql';

/** The address of a wanted account. Providers whose names are addresses may leave it out. */
export function addressOf({ email, userName }: Pick<WantedUser, 'email' | 'userName'>): string {
  const address = email ?? userName;
  if (!isEmailAddress(address)) throw invalidValue('emails has no e-mail address');
  return address;
}

/** The organization's rules for names and addresses, as SCIM's errors. */
export async function inWordsOfScim<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error;
    throw error instanceof EmailInUseError ? taken(error.message) : invalidValue(error.message);
  }
}

/** Makes an account with the organization's defaults, as for other new accounts, without a password; returns its id. */
export async function openProvidedAccount(
  ctx: Context,
  tx: Transaction,
  realmId: number,
  wanted: WantedUser,
): Promise<number> {
  const email = addressOf(wanted);
  const fullName = wanted.fullName ?? wanted.userName;
  const account = { realmId, email, fullName, role: ROLES.member };
  const { id: userId } = await openOutsideAccount(tx, account, ctx.clock.now());
  await storeScimUser(tx, { realmId, userId, ...wanted });
  if (wanted.isActive === false) await deactivateAccount(ctx, tx, realmId, userId);
  return userId;
}

/** Gives an account what the provider wants. The caller has locked the organization's row. */
export async function changeProvidedAccount(
  ctx: Context,
  tx: Transaction,
  { realmId, userId }: { realmId: number; userId: number },
  wanted: WantedUser,
): Promise<void> {
  const user = (await findUser(tx, realmId, userId)) as User;
  const ends = wanted.isActive === false && user.isActive;
  if (ends && (await isLastOwner(tx, user))) throw lastOwner();
  await storeScimUser(tx, { realmId, userId, ...wanted });
  // These lock channels, and the change of a name comes after that.
  if (ends) await deactivateAccount(ctx, tx, realmId, userId);
  if (wanted.isActive === true && !user.isActive) await reactivateAccount(ctx, tx, user);
  await inWordsOfScim(async () => {
    const renamed = await rename(tx, user, wanted.fullName);
    if (wanted.email !== null) await announce(tx, ...(await changeEmail(tx, renamed, wanted.email)));
  });
}

async function rename(tx: Transaction, user: User, text: string | null): Promise<User> {
  if (text === null || text === user.fullName) return user;
  const fullName = outsideName(text, user.deliveryEmail);
  if (fullName === user.fullName) return user;
  await checkNameIsFree(tx, user.realmId, fullName, user.id);
  await announce(tx, ...(await changeFullName(tx, user, fullName)));
  return { ...user, fullName };
}

export function lastOwner() {
  return scimError(403, null, 'Cannot deactivate the only organization owner');
}
