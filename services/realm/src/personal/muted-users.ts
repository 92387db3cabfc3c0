import { announce } from '@parley/shared/bus';
import { BadRequestError, InsufficientPermissionError, NothingToDoError } from '@parley/shared/errors';
import { mutedUsersChanged } from '@parley/shared/events';
import { prismaTransaction } from '@parley/shared/prisma';
import type {
  MutedUser,
  MuteUserRequest,
  MuteUserResponse,
  UnmuteUserRequest,
  UnmuteUserResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { listSeenUsers } from '../accounts/accessible-users.sql';
import { lockUser } from '../accounts/users.sql';
import { possibleIds } from '../base/possible-values';
import type { Context, Tables } from '../context';

/** Mutes a user visible to the caller: a person or a bot, active or not. */
export async function muteUser(ctx: Context, caller: Caller, request: MuteUserRequest): Promise<MuteUserResponse> {
  if (request.userId === caller.userId) throw new BadRequestError(REFUSAL.people.yourself);
  const mutedAt = new Date(ctx.clock.now());
  await changeMutedUsers(ctx, caller, { mutedUserId: request.userId, isMuted: true }, async (prisma, muting) => {
    const { count } = await prisma.mutedUser.createMany({ data: { ...muting, mutedAt }, skipDuplicates: true });
    if (count === 0) throw new NothingToDoError(REFUSAL.people.mutedAlready);
  });
  return {};
}

/** Unmutes a user for the caller. */
export async function unmuteUser(
  ctx: Context,
  caller: Caller,
  request: UnmuteUserRequest,
): Promise<UnmuteUserResponse> {
  await changeMutedUsers(ctx, caller, { mutedUserId: request.userId, isMuted: false }, async (prisma, muting) => {
    const { count } = await prisma.mutedUser.deleteMany({ where: muting });
    if (count === 0) throw new NothingToDoError('User is not muted');
  });
  return {};
}

interface Muting {
  realmId: number;
  userId: number;
  mutedUserId: number;
}

/** Runs `change` on the caller's mute of an existing user, and announces all users muted by the caller. */
async function changeMutedUsers(
  ctx: Context,
  { realmId, userId }: Caller,
  fact: { mutedUserId: number; isMuted: boolean },
  change: (prisma: Tables, muting: Muting) => Promise<void>,
): Promise<void> {
  const [wanted] = await listSeenUsers(ctx.db, realmId, userId, possibleIds([fact.mutedUserId]));
  if (!wanted) throw new BadRequestError('No such user');
  // A mute ends also after the user went out of sight.
  if (fact.isMuted && !wanted.isKnown) throw new InsufficientPermissionError();
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    await lockUser(tx, realmId, userId);
    await change(prisma, { realmId, userId, mutedUserId: fact.mutedUserId });
    const mutedUsers = await listMutedUsers(prisma, realmId, userId);
    await announce(tx, mutedUsersChanged(realmId, { userId, ...fact, mutedUsers }));
  });
}

/** The users muted by the user, oldest first. */
async function listMutedUsers(prisma: Tables, realmId: number, userId: number): Promise<MutedUser[]> {
  const rows = await prisma.mutedUser.findMany({
    where: { realmId, userId },
    select: { mutedUserId: true, mutedAt: true },
    orderBy: [{ mutedAt: 'asc' }, { mutedUserId: 'asc' }],
  });
  return rows.map(({ mutedUserId, mutedAt }) => ({ userId: mutedUserId, mutedAtMs: mutedAt.getTime() }));
}
