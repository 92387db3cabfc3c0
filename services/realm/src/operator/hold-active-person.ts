import type { Transaction } from '@parley/shared/db';
import { BadRequestError, UserDeactivatedError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import { getRealm } from '../realms/get-realm';
import { findUser, lockUser } from '../users/users.sql';
import { findAccount } from './find-account';

interface NamedAccount {
  subdomain: string;
  email: string;
}

/** Holds the account while it is changed. Refuses bots and who is deactivated. */
export async function holdActivePerson(tx: Transaction, { subdomain, email }: NamedAccount): Promise<User> {
  const { id: realmId } = await getRealm({ db: tx }, { subdomain });
  const { id } = await findAccount({ db: tx }, realmId, email);
  await lockUser(tx, realmId, id);
  const user = (await findUser(tx, realmId, id)) as User;
  if (user.isBot) throw new BadRequestError('This is the account of a bot');
  if (!user.isActive) throw new UserDeactivatedError();
  return user;
}
