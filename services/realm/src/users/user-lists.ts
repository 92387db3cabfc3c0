import { joinInSlices, Slices, writeListInSlices } from '@parley/shared/batch';
import type { GetUserListsRequest, User, UserLists } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isEmailVisibleTo } from '@parley/shared/values';
import { publicUser, visitorsUser } from '@parley/shared/wire';
import { listProfiles, type ProfileRow } from '../accounts/profiles.sql';
import { renderProfile } from '../accounts/shown-profile';
import { listAllUsers } from '../accounts/users.sql';
import type { Context } from '../context';
import { readUnlessKnown } from '../list-changes/list-versions';
import { findUserListsVersion } from '../list-changes/versions.sql';

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
      return { users, profiles: request.includesProfiles ? await listProfiles(sql, realmId, null) : [] };
    },
  });
  if (content === null) return { version, isKnown: true, users: NOTHING, nonActiveUsers: NOTHING, systemBots: NOTHING };
  return { version, isKnown: false, ...(await writeUserLists(content, request, deadlineAt)) };
}

interface ListedUsers {
  /** By id. */
  users: readonly User[];
  profiles: readonly ProfileRow[];
}

export type UserListsView = Omit<GetUserListsRequest, 'knownVersion'>;

/** The users as JSON, in slices. */
export async function writeUserLists(
  { users, profiles }: ListedUsers,
  view: UserListsView,
  deadlineAt: number,
): Promise<Pick<UserLists, 'users' | 'nonActiveUsers' | 'systemBots'>> {
  const profileOf = new Map(profiles.map((row) => [row.userId, row]));
  const [systemBots, others] = divide(users, ({ isSystemBot }) => isSystemBot === true);
  const [active, nonActive] = divide(others, ({ isActive }) => isActive || !view.isDivided);
  const write = (list: readonly User[]) => toJson(list, profileOf, view, deadlineAt);
  return { users: await write(active), nonActiveUsers: await write(nonActive), systemBots: await write(systemBots) };
}

function divide(users: readonly User[], isFirst: (user: User) => boolean): [User[], User[]] {
  return [users.filter(isFirst), users.filter((user) => !isFirst(user))];
}

async function toJson(
  users: readonly User[],
  profiles: ReadonlyMap<number, ProfileRow>,
  { viewerRole, clientGravatar, includesProfiles, isDivided, isForVisitors }: UserListsView,
  deadlineAt: number,
): Promise<Buffer> {
  const show = (user: User) => {
    const isDeliveryEmailShown = isEmailVisibleTo(viewerRole, user.emailAddressVisibility);
    const view = { isDeliveryEmailShown, clientGravatar, isActivityShown: !isDivided };
    const row = profiles.get(user.id);
    const profile = includesProfiles ? (row ? renderProfile(row).values : []) : null;
    return isForVisitors ? visitorsUser(user) : publicUser(user, view, profile);
  };
  return joinInSlices(await writeListInSlices(users, show, deadlineAt), new Slices(deadlineAt));
}
