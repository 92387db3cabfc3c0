import { Slices, writeListInSlices } from '@parley/shared/batch';
import { BadRequestError, UserDeactivatedError } from '@parley/shared/errors';
import type {
  GetUserListsRequest,
  GetUsersRequest,
  GetUsersResponse,
  ListUsersRequest,
  User,
  UserList,
  UserLists,
  UserProfile,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isEmailVisibleTo, unknownUser, VISITOR_ID } from '@parley/shared/values';
import { maskedForVisitors, publicUser, visitorsUser } from '@parley/shared/wire';
import { listSeenUsers, type SeenUser } from '../accounts/accessible-users.sql';
import { listProfiles, type ProfileRow } from '../accounts/profiles.sql';
import { renderProfile } from '../accounts/shown-profile';
import { listAllUsers } from '../accounts/users.sql';
import { possibleIds } from '../base/possible-values';
import type { Context } from '../context';
import { readUnlessKnown } from '../list-changes/list-versions';
import { findUserListsVersion } from '../list-changes/versions.sql';

const MAX_IDS = 20_000;

/** All users, or those of the ids: active and deactivated, people and bots, without system bots. */
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
  // SPEC-GAP: whether unknown ids are refused or left out; here they are refused.
  if (ids !== null && shown.length < ids.length) throw new BadRequestError('No such user');
  const slices = new Slices(caller.deadlineAt);
  return {
    viewerRole: roleOf(seen, userId),
    users: shown.map(showUser),
    profiles: await renderProfiles(profiles.filter(isAbout(shown)), slices),
  };
}

async function renderProfiles(rows: readonly ProfileRow[], slices: Slices): Promise<UserProfile[]> {
  const profiles: UserProfile[] = [];
  for (const row of rows) {
    await slices.pause();
    profiles.push(renderProfile(row));
  }
  return profiles;
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
function showUser({ user, isKnown }: SeenUser): User {
  return isKnown ? user : unknownUser(user.realmId, user.id);
}

function isAbout(shown: readonly SeenUser[]): (profile: { userId: number }) => boolean {
  const knownIds = new Set(shown.filter(({ isKnown }) => isKnown).map(({ user }) => user.id));
  return ({ userId }) => knownIds.has(userId);
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

const NOTHING = Buffer.alloc(0);

/** All users, as JSON, for callers who may see all; empty when the caller's version is current. */
export async function getUserLists(
  ctx: Context,
  { realmId, deadlineAt }: Caller,
  request: GetUserListsRequest,
): Promise<UserLists> {
  const { version, content } = await readUnlessKnown(ctx.db, request.knownVersion, {
    findVersion: (sql) => findUserListsVersion(sql, realmId),
    async load(sql) {
      const users = await listAllUsers(sql, realmId);
      return { users, rows: request.includesProfiles ? await listProfiles(sql, realmId, null) : [] };
    },
  });
  if (content === null) return { version, isKnown: true, users: NOTHING, nonActiveUsers: NOTHING, systemBots: NOTHING };
  const { users, rows } = content;
  const profiles = new Map(rows.map((row) => [row.userId, row]));
  const [systemBots, others] = divide(users, ({ isSystemBot }) => isSystemBot === true);
  const [active, nonActive] = divide(others, ({ isActive }) => isActive || !request.isDivided);
  const show = (list: readonly User[]) => toJson(list, profiles, request, deadlineAt);
  return {
    version,
    isKnown: false,
    users: await show(active),
    nonActiveUsers: await show(nonActive),
    systemBots: await show(systemBots),
  };
}

function divide(users: readonly User[], isFirst: (user: User) => boolean): [User[], User[]] {
  return [users.filter(isFirst), users.filter((user) => !isFirst(user))];
}

async function toJson(
  users: readonly User[],
  profiles: ReadonlyMap<number, ProfileRow>,
  { viewerRole, clientGravatar, includesProfiles, isDivided, isForVisitors }: GetUserListsRequest,
  deadlineAt: number,
): Promise<Buffer> {
  const show = (user: User) => {
    const isDeliveryEmailShown = isEmailVisibleTo(viewerRole, user.emailAddressVisibility);
    const view = { isDeliveryEmailShown, clientGravatar, isActivityShown: !isDivided };
    const row = profiles.get(user.id);
    const profile = includesProfiles ? (row ? renderProfile(row).values : []) : null;
    return isForVisitors ? visitorsUser(user) : publicUser(user, view, profile);
  };
  return Buffer.concat(await writeListInSlices(users, show, deadlineAt));
}
