import type { Transaction } from '@parley/shared/db';
import { BadRequestError, UserDeactivatedError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import type { Context } from '../context';
import { getRealm } from '../realms/get-realm';
import { findUser, lockUser } from '../users/users.sql';
import { findAccount } from './find-account';

interface NamedAccount {
  subdomain: string;
  email: string;
}

/** Holds the account while it is changed. Refuses bots and who is deactivated. */
export async function holdActivePerson(
  ctx: Context,
  tx: Transaction,
  { subdomain, email }: NamedAccount,
): Promise<User> {
  const { id: realmId } = await getRealm(ctx, { subdomain });
  const { id } = await findAccount(ctx, realmId, email);
  await lockUser(tx, realmId, id);
  const user = (await findUser(tx, realmId, id)) as User;
  if (user.isBot) throw new BadRequestError('This is the account of a bot');
  if (!user.isActive) throw new UserDeactivatedError();
  return user;
}
