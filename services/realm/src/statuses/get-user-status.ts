import { BadRequestError } from '@parley/shared/errors';
import type { GetUserStatusRequest, UserStatus } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { accessActivePerson } from '../users/access-active-person';
import { findUserStatus } from './statuses.sql';

/** The status of an active person. */
export async function getUserStatus(ctx: Context, caller: Caller, request: GetUserStatusRequest): Promise<UserStatus> {
  const { id } = await accessActivePerson(ctx, caller, request.userId);
  const status = await findUserStatus(ctx.db, caller.realmId, id);
  if (status === null) throw new BadRequestError('No such user');
  return status;
}
