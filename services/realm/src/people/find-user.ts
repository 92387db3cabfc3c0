import type { Sql } from '@parley/shared/db';
import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import type {
  FindUserRequest,
  FoundUser,
  ListUserChannelsRequest,
  User,
  UserChannelIds,
  UserRef,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { isEmailVisibleTo, userIdOfDummyEmail } from '@parley/shared/values';
import { listSeenUsers } from '../accounts/accessible-users.sql';
import { getOwnUser } from '../accounts/get-own-user';
import { requireMayAdminister } from '../accounts/permissions';
import { listProfiles } from '../accounts/profiles.sql';
import { renderProfile } from '../accounts/shown-profile';
import { findUsersByAddresses, findUsersByIds } from '../accounts/users.sql';
import { possibleIds, possibleTexts } from '../base/possible-values';
import { loadVisibleChannelIds } from '../channel-access/channel-visibility';
import type { Context } from '../context';
import { listSubscriptionsOf } from '../subscriptions/subscriptions.sql';

/** An account that the caller may see, also deactivated ones and bots. */
export async function findUser(ctx: Context, caller: Caller, request: FindUserRequest): Promise<FoundUser> {
  const viewer = await getOwnUser(ctx, caller);
  const user = await accessUser(ctx.db, viewer, request.user as UserRef);
  const [profile] = request.includesProfile ? await listProfiles(ctx.db, caller.realmId, [user.id]) : [];
  return { viewerRole: viewer.role, user, profile: profile ? renderProfile(profile).values : [] };
}

/** The account that a request names: active or not, person or bot. Real addresses match only if the viewer may see them. */
export async function findNamedUser(sql: Sql, viewer: User, { id, email = '' }: UserRef): Promise<User> {
  const userId = id ?? userIdOfDummyEmail(email);
  const found =
    userId === null
      ? await findByAddress(sql, viewer, email)
      : (await findUsersByIds(sql, viewer.realmId, possibleIds([userId])))[0];
  if (!found) throw new BadRequestError('No such user');
  return found;
}

async function findByAddress(sql: Sql, viewer: User, email: string): Promise<User | undefined> {
  const address = email.trim().toLowerCase();
  const users = await findUsersByAddresses(sql, viewer.realmId, possibleTexts([address]));
  return users.find(
    (user) =>
      user.email.toLowerCase() === address ||
      user.id === viewer.id ||
      isEmailVisibleTo(viewer.role, user.emailAddressVisibility),
  );
}

/** The same, if visible to the viewer. */
async function accessUser(sql: Sql, viewer: User, named: UserRef): Promise<User> {
  const user = await findNamedUser(sql, viewer, named);
  const [seen] = await listSeenUsers(sql, viewer.realmId, viewer.id, [user.id]);
  if (!seen?.isKnown) throw new InsufficientPermissionError();
  return user;
}

/** The same, if the actor may administer the account. Nobody administers system bots. */
export async function accessAdministered(sql: Sql, actor: User, named: UserRef): Promise<User> {
  const user = await findNamedUser(sql, actor, named);
  if (user.isSystemBot) throw new BadRequestError('No such user');
  requireMayAdminister(actor, user);
  return user;
}

/** The account of an active person visible to the caller. */
export async function accessActivePerson(
  ctx: Context,
  { realmId, userId: callerId }: Pick<Caller, 'realmId' | 'userId'>,
  userId: number,
): Promise<User> {
  const [seen] = await listSeenUsers(ctx.db, realmId, callerId, possibleIds([userId]));
  if (!seen || seen.user.isBot) throw new BadRequestError('No such user');
  if (!seen.user.isActive) throw new BadRequestError(REFUSAL.people.deactivated);
  if (!seen.isKnown) throw new InsufficientPermissionError();
  return seen.user;
}

/** The subscribed channels of an active person visible to the caller, limited to channels that the caller may see. */
export async function listUserChannels(
  ctx: Context,
  caller: Caller,
  { userId, channelId }: ListUserChannelsRequest,
): Promise<UserChannelIds> {
  const { realmId } = caller;
  const person = await accessUser(ctx.db, await getOwnUser(ctx, caller), { id: userId });
  requireActivePerson(person);
  const visible = await loadVisibleChannelIds(ctx.db, realmId, [caller.userId], ctx.clock.now());
  const visibleIds = new Set(visible.get(caller.userId));
  if (channelId !== undefined && !visibleIds.has(channelId)) throw new BadRequestError('Invalid channel ID');
  const subscriptions = await listSubscriptionsOf(ctx.db, realmId, [person.id]);
  const isWanted = (id: number) => visibleIds.has(id) && (channelId === undefined || id === channelId);
  return { channelIds: subscriptions.map((subscription) => subscription.channelId).filter(isWanted) };
}

function requireActivePerson({ isBot, isActive }: User): void {
  if (isBot) throw new BadRequestError('No such user');
  if (!isActive) throw new BadRequestError(REFUSAL.people.deactivated);
}
