import type { GetUserProfilesRequest, UserProfiles } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { possibleIds } from '../possible-values';
import { listProfiles } from './profile-values.sql';
import { renderProfile } from './render-profile-value';

/** What profiles say: those of the users asked for, or everybody's when nobody is named. */
export async function getUserProfiles(
  ctx: Context,
  { realmId }: Caller,
  { userIds }: GetUserProfilesRequest,
): Promise<UserProfiles> {
  const rows = await listProfiles(ctx.db, realmId, userIds.length === 0 ? null : possibleIds(userIds));
  return { profiles: rows.map(renderProfile) };
}
