import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { mutedUsersChanged } from '@parley/shared/events';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { possibleIds } from '../possible-values';
import { findUsersByIds, lockUser } from '../users/users.sql';
import { listMutedUsers, type Muting } from './muted-users.sql';

/** Runs `change` on whether the caller has muted somebody who exists, and announces whom they have muted then. */
export async function changeMutedUsers(
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
