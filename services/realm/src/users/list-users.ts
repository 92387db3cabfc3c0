import { BadRequestError, UserDeactivatedError } from '@parley/shared/errors';
import type { ListUsersRequest, User, UserList } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { unknownUser } from '@parley/shared/values';
import type { Context } from '../context';
import { possibleIds } from '../possible-values';
import { listProfiles } from '../profile-values/profile-values.sql';
import { renderProfile } from '../profile-values/render-profile-value';
import { listSeenUsers, type SeenUser } from './accessible-users.sql';

const MAX_IDS = 20_000;

/** Everybody, or the users of the ids: active and deactivated, people and bots, but not the service's own bots. */
export async function listUsers(ctx: Context, caller: Caller, request: ListUsersRequest): Promise<UserList> {
  const { realmId, userId } = caller;
  const ids = idsOf(request);
  const wanted = ids === null ? null : [...new Set([...ids, userId])];
  const [seen, profiles] = await Promise.all([
    listSeenUsers(ctx.db, realmId, userId, wanted),
    request.includesProfiles ? listProfiles(ctx.db, realmId, ids) : [],
  ]);
  const isWanted = wantedBy(ids);
  const shown = seen.filter(({ user }) => isWanted(user));
  // SPEC-GAP: whether ids of nobody are refused or left out.
  if (ids !== null && shown.length < ids.length) throw new BadRequestError('No such user');
  return {
    viewerRole: roleOf(seen, userId),
    users: shown.map(showUser),
    profiles: profiles.filter(isAbout(shown)).map(renderProfile),
  };
}

function roleOf(seen: readonly SeenUser[], viewerId: number): number {
  const viewer = seen.find(({ user }) => user.id === viewerId);
  if (!viewer) throw new UserDeactivatedError();
  return viewer.user.role;
}

/** Null: everybody. */
function idsOf({ userIds, hasUserIds }: ListUsersRequest): number[] | null {
  if (!hasUserIds) return null;
  if (userIds.length > MAX_IDS) throw new BadRequestError(`Too many ids (limit: ${MAX_IDS})`);
  const ids = [...new Set(userIds)];
  if (possibleIds(ids).length < ids.length) throw new BadRequestError('No such user');
  return ids;
}

function wantedBy(ids: readonly number[] | null): (user: User) => boolean {
  if (ids === null) return ({ isSystemBot }) => !isSystemBot;
  const wanted = new Set(ids);
  return ({ id }) => wanted.has(id);
}

/** A user as somebody sees them who may not know everybody. */
export function showUser({ user, isKnown }: SeenUser): User {
  return isKnown ? user : unknownUser(user.realmId, user.id);
}

function isAbout(shown: readonly SeenUser[]): (profile: { userId: number }) => boolean {
  const knownIds = new Set(shown.filter(({ isKnown }) => isKnown).map(({ user }) => user.id));
  return ({ userId }) => knownIds.has(userId);
}
