import { Slices } from '@parley/shared/batch';
import type { GetUserListsRequest, User, UserLists } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isEmailVisibleTo } from '@parley/shared/values';
import { publicUser, visitorsUser } from '@parley/shared/wire';
import type { Context } from '../context';
import { listProfiles, type ProfileRow } from '../profile-values/profile-values.sql';
import { renderProfile } from '../profile-values/render-profile-value';
import { findUserListsVersion } from '../register/versions.sql';
import { listAllUsers } from './user-lists.sql';

const NOTHING = Buffer.alloc(0);

/** Everybody, as JSON for whoever may know everybody; nothing of it to an asker who has it all. */
export async function getUserLists(
  ctx: Context,
  { realmId, deadlineAt }: Caller,
  request: GetUserListsRequest,
): Promise<UserLists> {
  const { result } = await ctx.db.readAtOnce(async (sql) => {
    const version = await findUserListsVersion(sql, realmId);
    if (version === request.knownVersion) return { version, found: null };
    const users = await listAllUsers(sql, realmId);
    return { version, found: { users, rows: request.includesProfiles ? await listProfiles(sql, realmId, null) : [] } };
  });
  const { version, found } = result;
  if (found === null) return { version, isKnown: true, users: NOTHING, nonActiveUsers: NOTHING, systemBots: NOTHING };
  const { users, rows } = found;
  const profiles = new Map(rows.map((row) => [row.userId, row]));
  const [systemBots, others] = divide(users, ({ isSystemBot }) => isSystemBot === true);
  const [active, nonActive] = divide(others, ({ isActive }) => isActive || !request.isDivided);
  const slices = new Slices(deadlineAt);
  const show = (list: readonly User[]) => toJson(list, profiles, request, slices);
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
  slices: Slices,
): Promise<Buffer> {
  const show = (user: User) => {
    const isDeliveryEmailShown = isEmailVisibleTo(viewerRole, user.emailAddressVisibility);
    const view = { isDeliveryEmailShown, clientGravatar, isActivityShown: !isDivided };
    const row = profiles.get(user.id);
    const profile = includesProfiles ? (row ? renderProfile(row).values : []) : null;
    return JSON.stringify(isForVisitors ? visitorsUser(user) : publicUser(user, view, profile));
  };
  const parts: string[] = [];
  for (const user of users) {
    await slices.pause();
    parts.push(show(user));
  }
  return Buffer.from(`[${parts.join(',')}]`);
}
