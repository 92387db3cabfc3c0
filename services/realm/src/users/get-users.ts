import { BadRequestError } from '@parley/shared/errors';
import type { GetUsersRequest, GetUsersResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { VISITOR_ID } from '@parley/shared/values';
import { maskedForVisitors } from '@parley/shared/wire';
import type { Context } from '../context';
import { possibleIds } from '../possible-values';
import { listSeenUsers } from './accessible-users.sql';
import { showUser } from './list-users';

const MAX_USERS = 20_000;

/**
 * Users by id, in no particular order; ids of nobody in the caller's organization are left out. In the place of whom the caller may
 * not know stand unknown users.
 */
export async function getUsers(ctx: Context, caller: Caller, { userIds }: GetUsersRequest): Promise<GetUsersResponse> {
  if (userIds.length > MAX_USERS) throw new BadRequestError(`Too many users in one call (limit: ${MAX_USERS})`);
  const { realmId, userId } = caller;
  const seen = await listSeenUsers(ctx.db, realmId, userId, possibleIds(userIds));
  // Visitors see who wrote what they see, without their addresses; nobody else is asked for.
  return { users: userId === VISITOR_ID ? seen.map(({ user }) => maskedForVisitors(user)) : seen.map(showUser) };
}
