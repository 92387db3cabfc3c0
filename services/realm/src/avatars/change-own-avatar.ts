import { announce } from '@parley/shared/bus';
import { UserDeactivatedError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findUser, lockUser } from '../users/users.sql';
import { changeAvatar } from './change-avatar';
import type { Avatar } from './make-avatar';

/** Gives the caller the picture, or none of their own (null); the answer is the account as it is then. */
export function changeOwnAvatar(ctx: Context, { realmId, userId }: Caller, avatar: Avatar | null): Promise<User> {
  return ctx.db.transaction(async (tx) => {
    await lockUser(tx, realmId, userId);
    const own = await findUser(tx, realmId, userId);
    if (!own?.isActive) throw new UserDeactivatedError();
    // Who has no picture has none already.
    if (avatar === null && own.avatarFileName === undefined) return own;
    const { user, events } = await changeAvatar(tx, own, avatar);
    await announce(tx, ...events);
    return user;
  });
}
