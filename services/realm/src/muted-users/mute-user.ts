import { BadRequestError } from '@parley/shared/errors';
import type { MuteUserRequest, MuteUserResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { changeMutedUsers } from './change-muted-users';
import { insertMutedUser } from './muted-users.sql';

/** Mutes somebody for the caller: a person or a bot, active or not. */
export async function muteUser(ctx: Context, caller: Caller, request: MuteUserRequest): Promise<MuteUserResponse> {
  if (request.userId === caller.userId) throw new BadRequestError('Cannot mute self');
  const mutedAtMs = ctx.clock.now();
  await changeMutedUsers(ctx, caller, { mutedUserId: request.userId, isMuted: true }, async (tx, muting) => {
    const isNew = await insertMutedUser(tx, { ...muting, mutedAtMs });
    if (!isNew) throw new BadRequestError('User already muted');
  });
  return {};
}
