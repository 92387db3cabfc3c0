import type { FindUserRequest, FoundUser, UserRef } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listProfiles } from '../profile-values/profile-values.sql';
import { renderProfile } from '../profile-values/render-profile-value';
import { accessUser } from './access-user';
import { getOwnUser } from './get-own-user';

/** One account, whom the caller may know; deactivated ones and bots, too. */
export async function findUser(ctx: Context, caller: Caller, request: FindUserRequest): Promise<FoundUser> {
  const viewer = await getOwnUser(ctx, caller);
  const user = await accessUser(ctx.db, viewer, request.user as UserRef);
  const [profile] = request.includesProfile ? await listProfiles(ctx.db, caller.realmId, [user.id]) : [];
  return { viewerRole: viewer.role, user, profile: profile ? renderProfile(profile).values : [] };
}
