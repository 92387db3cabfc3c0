import { BadRequestError } from '@parley/shared/errors';
import type {
  Channel,
  ChannelKinds,
  ChannelMembers,
  FindChannelRequest,
  FoundChannel,
  GetChannelMembersRequest,
  GetChannelRequest,
  ListChannelKindsRequest,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/actor';
import { nameKey } from '../base/name-key';
import { possibleIds, possibleTexts } from '../base/possible-values';
import type { Context } from '../context';
import { accessChannel, seenBy } from './access-channel';
import { listSubscriberIds } from './channel-visibility.sql';
import { findKinds, loadChannelsByNames } from './channels.sql';
import { hasMetadataAccess } from './permissions';

/** The id of the channel with that name, in any casing. */
export async function findChannel(ctx: Context, caller: Caller, { name }: FindChannelRequest): Promise<FoundChannel> {
  const actor = await loadActor(ctx.db, caller, ctx.clock.now());
  const channels = await loadChannelsByNames(ctx.db, caller.realmId, possibleTexts([nameKey(name)]));
  const [seen] = await seenBy(ctx.db, actor, channels);
  if (!seen || !hasMetadataAccess(seen.channel, seen.viewer)) {
    throw new BadRequestError(`Invalid channel name '${name}'`);
  }
  return { channelId: seen.channel.id };
}

/** A channel with the data that its readers may see. */
export async function getChannel(ctx: Context, caller: Caller, { channelId }: GetChannelRequest): Promise<Channel> {
  const actor = await loadActor(ctx.db, caller, ctx.clock.now());
  const { channel } = await accessChannel(ctx.db, actor, channelId);
  return channel;
}

/** The subscribers of a channel. */
export async function getChannelMembers(
  ctx: Context,
  caller: Caller,
  { channelId }: GetChannelMembersRequest,
): Promise<ChannelMembers> {
  const actor = await loadActor(ctx.db, caller, ctx.clock.now());
  await accessChannel(ctx.db, actor, channelId);
  const [subscribers] = await listSubscriberIds(ctx.db, caller.realmId, [channelId]);
  return { userIds: subscribers?.userIds ?? [] };
}

/** Reading rights and subscriber versions of the channels. */
export async function listChannelKinds(
  { db }: Context,
  { realmId, channelIds }: ListChannelKindsRequest,
): Promise<ChannelKinds> {
  return { channels: await findKinds(db, realmId, possibleIds(channelIds)) };
}
