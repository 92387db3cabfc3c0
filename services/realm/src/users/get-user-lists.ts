import type { GetUserListsRequest, ProfileValue, User, UserLists } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isEmailVisibleTo } from '@parley/shared/values';
import { publicUser, visitorsUser } from '@parley/shared/wire';
import type { Context } from '../context';
import { listProfiles } from '../profile-values/profile-values.sql';
import { renderProfile } from '../profile-values/render-profile-value';
import { findUserListsVersion } from '../register/versions.sql';
import { listAllUsers } from './user-lists.sql';

const NOTHING = Buffer.alloc(0);
/** After so many users others have their turn. */
const USERS_A_TURN = 1_000;

/** Everybody, as JSON for whoever may know everybody; nothing of it to an asker who has it all. */
export async function getUserLists(
  ctx: Context,
  { realmId }: Caller,
  request: GetUserListsRequest,
): Promise<UserLists> {
  // Before the lists: what they tell is of this version or of a later one, which the next to ask gets to see.
  const version = await findUserListsVersion(ctx.db, realmId);
  if (version === request.knownVersion) {
    return { version, isKnown: true, users: NOTHING, nonActiveUsers: NOTHING, systemBots: NOTHING };
  }
  const [users, rows] = await Promise.all([
    listAllUsers(ctx.db, realmId),
    request.includesProfiles ? listProfiles(ctx.db, realmId, null) : [],
  ]);
  const profiles = new Map(rows.map((row) => [row.userId, renderProfile(row).values]));
  const [systemBots, others] = divide(users, ({ isSystemBot }) => isSystemBot === true);
  const [active, nonActive] = divide(others, ({ isActive }) => isActive || !request.isDivided);
  const show = (list: readonly User[]) => toJson(list, profiles, request);
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
  profiles: ReadonlyMap<number, ProfileValue[]>,
  { viewerRole, clientGravatar, includesProfiles, isDivided, isForVisitors }: GetUserListsRequest,
): Promise<Buffer> {
  const show = (user: User) => {
    const isDeliveryEmailShown = isEmailVisibleTo(viewerRole, user.emailAddressVisibility);
    const view = { isDeliveryEmailShown, clientGravatar, isActivityShown: !isDivided };
    const profile = includesProfiles ? (profiles.get(user.id) ?? []) : null;
    return JSON.stringify(isForVisitors ? visitorsUser(user) : publicUser(user, view, profile));
  };
  const parts: string[] = [];
  for (let from = 0; from < users.length; from += USERS_A_TURN) {
    parts.push(
      users
        .slice(from, from + USERS_A_TURN)
        .map(show)
        .join(','),
    );
    await new Promise(setImmediate);
  }
  return Buffer.from(`[${parts.join(',')}]`);
}
