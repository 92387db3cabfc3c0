import { BadRequestError } from '@parley/shared/errors';
import type { GetPresenceRequest, Presence, UserRef } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findNamedUser } from '../users/access-user';
import { getOwnUser } from '../users/get-own-user';
import { requirePresent } from './permissions';
import { findPresence } from './presence.sql';

/** When an active person was there. */
export async function getPresence(ctx: Context, caller: Caller, request: GetPresenceRequest): Promise<Presence> {
  const named = request.user as UserRef;
  const user = await findNamedUser(ctx.db, await getOwnUser(ctx, caller), named);
  requirePresent(user);
  const presence = await findPresence(ctx.db, caller.realmId, user.id);
  if (presence === null) throw new BadRequestError(`No presence data for ${named.id ?? named.email}`);
  return presence;
}
