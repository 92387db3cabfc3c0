import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type {
  Channel,
  ChannelEmailAddress,
  ChannelKinds,
  ChannelMembers,
  FindChannelRequest,
  FoundChannel,
  GetChannelEmailAddressRequest,
  GetChannelMembersRequest,
  GetChannelRequest,
  ListChannelKindsRequest,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { findUsersByIds } from '../accounts/users.sql';
import { type Actor, loadActor } from '../actors/actor';
import { nameKey } from '../base/name-key';
import { possibleIds, possibleTexts } from '../base/possible-values';
import type { Context } from '../context';
import { accessChannel, seenBy } from './access-channel';
import { listSubscriberIds } from './channel-visibility.sql';
import { findKinds, loadChannelsByNames } from './channels.sql';
import { hasContentAccess, hasMetadataAccess, mayPost, type Viewer } from './permissions';

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

/** The address for mails to the channel, for users who may post there; always empty, as this server receives no mail. */
export async function getChannelEmailAddress(
  ctx: Context,
  caller: Caller,
  { channelId, senderId }: GetChannelEmailAddressRequest,
): Promise<ChannelEmailAddress> {
  const nowMs = ctx.clock.now();
  const actor = await loadActor(ctx.db, caller, nowMs);
  const { channel, viewer } = await accessChannel(ctx.db, actor, channelId);
  if (!hasContentAccess(channel, viewer)) throw new BadRequestError('Invalid channel ID');
  if (senderId !== undefined) await requireOwnSender(ctx.db, actor, senderId);
  if (!mayPost(channel, viewer, await ownerOf(ctx.db, actor, channel, nowMs))) {
    throw new BadRequestError('You do not have permission to post in this channel.');
  }
  return { email: '' };
}

/** A bot's owner; null for a person. */
async function ownerOf(sql: Sql, { user }: Actor, channel: Channel, nowMs: number): Promise<Viewer | null> {
  if (user.botOwnerId === undefined) return null;
  const owner = await loadActor(sql, { realmId: user.realmId, userId: user.botOwnerId }, nowMs);
  const [seen] = await seenBy(sql, owner, [channel]);
  return seen?.viewer ?? null;
}

// SPEC-GAP: the text for other ids is not shown.
async function requireOwnSender(sql: Sql, { user }: Actor, senderId: number): Promise<void> {
  const [sender] = await findUsersByIds(sql, user.realmId, possibleIds([senderId]));
  const isOwn = sender !== undefined && (sender.id === user.id || sender.botOwnerId === user.id);
  if (!isOwn) throw new BadRequestError('Invalid sender_id');
}
