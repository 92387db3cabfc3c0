import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { mutedUsersChanged } from '@parley/shared/events';
import type { MuteUserRequest, MuteUserResponse, UnmuteUserRequest, UnmuteUserResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { findUsersByIds, lockUser } from '../accounts/users.sql';
import { possibleIds } from '../base/possible-values';
import type { Context } from '../context';
import { deleteMutedUser, insertMutedUser, listMutedUsers, type Muting } from './muted-users.sql';

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

/** Runs `change` on whether the caller has muted somebody who exists, and announces whom they have muted then. */
async function changeMutedUsers(
  ctx: Context,
  { realmId, userId }: Caller,
  fact: { mutedUserId: number; isMuted: boolean },
  change: (tx: Transaction, muting: Muting) => Promise<void>,
): Promise<void> {
  const [wanted] = await findUsersByIds(ctx.db, realmId, possibleIds([fact.mutedUserId]));
  if (!wanted) throw new BadRequestError('No such user');
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, realmId, userId);
    await change(tx, { realmId, userId, mutedUserId: fact.mutedUserId });
    const mutedUsers = await listMutedUsers(tx, realmId, userId);
    await announce(tx, mutedUsersChanged(realmId, { userId, ...fact, mutedUsers }));
  });
}
