import type { User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findUser } from './users.sql';

/** The caller's own account. */
export async function getOwnUser(ctx: Context, { realmId, userId }: Caller): Promise<User> {
  const user = await findUser(ctx.db, realmId, userId);
  if (user === null) throw new Error(`organization ${realmId} has no user ${userId}, in whose name it was called`);
  return user;
}
