import type { Sql } from '@parley/shared/db';
import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import type { User, UserRef } from '@parley/shared/proto';
import { isEmailVisibleTo, userIdOfDummyEmail } from '@parley/shared/values';
import { possibleIds, possibleTexts } from '../possible-values';
import { listSeenUsers } from './accessible-users.sql';
import { requireMayAdminister } from './permissions';
import { findUsersByAddresses, findUsersByIds } from './users.sql';

/**
 * The account that a request names, active or not, a person's or a bot's. Real addresses name those alone whose holder lets the
 * viewer see them.
 */
export async function findNamedUser(sql: Sql, viewer: User, { id, email = '' }: UserRef): Promise<User> {
  const userId = id ?? userIdOfDummyEmail(email);
  const found =
    userId === null
      ? await findByAddress(sql, viewer, email)
      : (await findUsersByIds(sql, viewer.realmId, possibleIds([userId])))[0];
  if (!found) throw new BadRequestError('No such user');
  return found;
}

async function findByAddress(sql: Sql, viewer: User, email: string): Promise<User | undefined> {
  const address = email.trim().toLowerCase();
  const users = await findUsersByAddresses(sql, viewer.realmId, possibleTexts([address]));
  return users.find(
    (user) =>
      user.email.toLowerCase() === address ||
      user.id === viewer.id ||
      isEmailVisibleTo(viewer.role, user.emailAddressVisibility),
  );
}

/** The same, when the viewer may know who that is. */
export async function accessUser(sql: Sql, viewer: User, named: UserRef): Promise<User> {
  const user = await findNamedUser(sql, viewer, named);
  const [seen] = await listSeenUsers(sql, viewer.realmId, viewer.id, [user.id]);
  if (!seen?.isKnown) throw new InsufficientPermissionError();
  return user;
}

/** The same, when the actor may administer the account. Nobody administers the service's own bots. */
export async function accessAdministered(sql: Sql, actor: User, named: UserRef): Promise<User> {
  const user = await findNamedUser(sql, actor, named);
  if (user.isSystemBot) throw new BadRequestError('No such user');
  requireMayAdminister(actor, user);
  return user;
}
