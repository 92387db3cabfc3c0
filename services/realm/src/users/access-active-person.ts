import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { possibleIds } from '../possible-values';
import { listSeenUsers } from './accessible-users.sql';

/** The account of an active person of the organization, whom the caller may know. */
export async function accessActivePerson(
  ctx: Context,
  { realmId, userId: callerId }: Pick<Caller, 'realmId' | 'userId'>,
  userId: number,
): Promise<User> {
  const [seen] = await listSeenUsers(ctx.db, realmId, callerId, possibleIds([userId]));
  if (!seen || seen.user.isBot) throw new BadRequestError('No such user');
  if (!seen.user.isActive) throw new BadRequestError('User is deactivated');
  if (!seen.isKnown) throw new InsufficientPermissionError();
  return seen.user;
}
