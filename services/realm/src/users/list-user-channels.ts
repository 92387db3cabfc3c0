import { BadRequestError } from '@parley/shared/errors';
import type { ListUserChannelsRequest, User, UserChannelIds } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadVisibleChannelIds } from '../channels/channel-sight';
import type { Context } from '../context';
import { listSubscriptionsOf } from '../subscriptions/subscriptions.sql';
import { accessUser } from './access-user';
import { getOwnUser } from './get-own-user';

/** The channels that an active person, whom the caller may know, is subscribed to, as far as the caller may know of them. */
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
  if (!isActive) throw new BadRequestError('User is deactivated');
}
