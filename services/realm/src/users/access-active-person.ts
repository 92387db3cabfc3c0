import { BadRequestError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import type { Context } from '../context';
import { possibleIds } from '../possible-values';
import { findUsersByIds } from './users.sql';

/** The account of an active person of the organization, whoever asks. */
export async function accessActivePerson(ctx: Context, realmId: number, userId: number): Promise<User> {
  const [user] = await findUsersByIds(ctx.db, realmId, possibleIds([userId]));
  if (!user || user.isBot) throw new BadRequestError('No such user');
  if (!user.isActive) throw new BadRequestError('User is deactivated');
  return user;
}
