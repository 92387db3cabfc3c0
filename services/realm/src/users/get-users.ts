import { BadRequestError } from '@parley/shared/errors';
import type { GetUsersRequest, GetUsersResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { possibleIds } from '../possible-values';
import { findUsersByIds } from './users.sql';

const MAX_USERS = 20_000;

/** Users by id, in no particular order; ids of nobody in the caller's organization are left out. */
export async function getUsers(ctx: Context, caller: Caller, { userIds }: GetUsersRequest): Promise<GetUsersResponse> {
  if (userIds.length > MAX_USERS) throw new BadRequestError(`Too many users in one call (limit: ${MAX_USERS})`);
  return { users: await findUsersByIds(ctx.db, caller.realmId, possibleIds(userIds)) };
}
