import { BadRequestError } from '@parley/shared/errors';
import type { UnmuteUserRequest, UnmuteUserResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { changeMutedUsers } from './change-muted-users';
import { deleteMutedUser } from './muted-users.sql';

/** Ends the muting of somebody for the caller. */
export async function unmuteUser(
  ctx: Context,
  caller: Caller,
  request: UnmuteUserRequest,
): Promise<UnmuteUserResponse> {
  await changeMutedUsers(ctx, caller, { mutedUserId: request.userId, isMuted: false }, async (tx, muting) => {
    const wasMuted = await deleteMutedUser(tx, muting);
    if (!wasMuted) throw new BadRequestError('User is not muted');
  });
  return {};
}
