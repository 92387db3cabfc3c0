import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import { possibleTexts } from '../possible-values';
import { findUsersByAddresses } from '../users/users.sql';

/** The account of either of its addresses, active or not, whoever may see them. Nobody operates the service's own bots. */
export async function findAccount({ db }: { db: Sql }, realmId: number, email: string): Promise<User> {
  const [user] = await findUsersByAddresses(db, realmId, possibleTexts([email.trim()]));
  if (!user || user.isSystemBot) throw new BadRequestError('No such user');
  return user;
}
