import type { User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { loadRealmSettings } from '../realms/realm-settings.sql';
import { getOwnUser } from '../users/get-own-user';
import { changeOwnAvatar } from './change-own-avatar';
import { requireMayChangeAvatar } from './permissions';

/** Lets the caller have no picture of their own any more. */
export async function removeAvatar(ctx: Context, caller: Caller): Promise<User> {
  requireMayChangeAvatar(await getOwnUser(ctx, caller), await loadRealmSettings(ctx.db, caller.realmId));
  return changeOwnAvatar(ctx, caller, null);
}
