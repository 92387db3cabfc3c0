import { BadRequestError, UserDeactivatedError } from '@parley/shared/errors';
import type { GetUsersRequest, GetUsersResponse, ListUsersRequest, User, UserList } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { unknownUser, VISITOR_ID } from '@parley/shared/values';
import { maskedForVisitors } from '@parley/shared/wire';
import { listSeenUsers, type SeenUser } from '../accounts/accessible-users.sql';
import { listProfiles } from '../accounts/profiles.sql';
import { renderProfiles } from '../accounts/shown-profile';
import { possibleIds } from '../base/possible-values';
import type { Context } from '../context';
import { findUserListsVersion } from '../list-changes/versions.sql';

const MAX_IDS = 20_000;

/** All users, or those of the ids: active and deactivated, people and bots, without system bots. */
export async function listUsers(ctx: Context, caller: Caller, request: ListUsersRequest): Promise<UserList> {
  const { realmId, userId } = caller;
  const ids = idsOf(request);
  const wanted = ids === null ? null : [...new Set([...ids, userId])];
  const seen = await listSeenUsers(ctx.db, realmId, userId, wanted);
  const isWanted = wantedBy(ids);
  const shown = seen.filter(({ user }) => isWanted(user));
  // SPEC-GAP: whether unknown ids are refused or left out; here they are refused.
  if (ids !== null && shown.length < ids.length) throw new BadRequestError('No such user');
  const profiles = request.includesProfiles ? await listProfiles(ctx.db, realmId, knownIdsOf(shown)) : [];
  return {
    viewerRole: roleOf(seen, userId),
    users: shown.map(showUser),
    profiles: await renderProfiles(profiles, caller.deadlineAt),
  };
}

function roleOf(seen: readonly SeenUser[], viewerId: number): number {
  const viewer = seen.find(({ user }) => user.id === viewerId);
  if (!viewer) throw new UserDeactivatedError();
  return viewer.user.role;
}

/** Null: all users. */
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

/** A user as shown to a viewer with restricted visibility. */
export function showUser({ user, isKnown }: SeenUser): User {
  return isKnown ? user : unknownUser(user.realmId, user.id);
}

/** Ids of the users whom the viewer may see. */
export function knownIdsOf(seen: readonly SeenUser[]): number[] {
  return seen.filter(({ isKnown }) => isKnown).map(({ user }) => user.id);
}

const MAX_USERS = 20_000;

/** Users by id, unordered; ids from outside the caller's organization are skipped. Invisible users appear as unknown users. */
export async function getUsers(ctx: Context, caller: Caller, { userIds }: GetUsersRequest): Promise<GetUsersResponse> {
  if (userIds.length > MAX_USERS) throw new BadRequestError(`Too many users in one call (limit: ${MAX_USERS})`);
  const { realmId, userId } = caller;
  // Before the users: they are not older than the version with which the caller keeps them.
  const usersVersion = await findUserListsVersion(ctx.db, realmId);
  const seen = await listSeenUsers(ctx.db, realmId, userId, possibleIds(userIds));
  // Visitors see the senders of visible messages, without addresses; no other users are requested.
  if (userId === VISITOR_ID) return { users: seen.map(({ user }) => maskedForVisitors(user)) };
  const users = seen.map(showUser);
  return seen.every(({ isKnown }) => isKnown) ? { users, usersVersion } : { users };
}
