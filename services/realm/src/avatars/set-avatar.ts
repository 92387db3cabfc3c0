import { BadRequestError } from '@parley/shared/errors';
import type { SetAvatarRequest, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { loadRealmSettings } from '../realms/realm-settings.sql';
import { getOwnUser } from '../users/get-own-user';
import { changeOwnAvatar } from './change-own-avatar';
import { makeAvatar } from './make-avatar';
import { requireMayChangeAvatar } from './permissions';

/** Gives the caller, a person or a bot, the uploaded picture. */
export async function setAvatar(ctx: Context, caller: Caller, { files }: SetAvatarRequest): Promise<User> {
  const [upload] = files;
  if (upload === undefined || files.length > 1) throw new BadRequestError('You must upload exactly one avatar.');
  requireMayChangeAvatar(await getOwnUser(ctx, caller), await loadRealmSettings(ctx.db, caller.realmId));
  // Done before the transaction begins: it takes longer than anybody should wait for the account's row.
  return changeOwnAvatar(ctx, caller, await makeAvatar(upload));
}
