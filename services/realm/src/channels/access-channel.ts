import type { Sql, Transaction } from '@parley/shared/db';
import { BadRequestError, CannotAdministerChannelError } from '@parley/shared/errors';
import type { Channel } from '@parley/shared/proto';
import type { Actor } from '../actors/actor';
import { possibleIds } from '../possible-values';
import { listSubscribedChannelIds, loadChannels, lockChannelsByIds } from './channels.sql';
import { hasContentAccess, hasMetadataAccess, mayAdminister, type Viewer } from './permissions';
import { viewerOf } from './viewer';

/** A channel, and what somebody is to it. */
export interface SeenChannel {
  channel: Channel;
  viewer: Viewer;
}

/** The channels of a list, each with what the actor is to it. */
export async function seenBy(sql: Sql, actor: Actor, channels: readonly Channel[]): Promise<SeenChannel[]> {
  const { realmId, id } = actor.user;
  const subscribedIds = new Set(await listSubscribedChannelIds(sql, realmId, id));
  return channels.map((channel) => ({ channel, viewer: viewerOf(actor, channel, subscribedIds.has(channel.id)) }));
}

/** The channel, archived or not, if the actor may know of it. */
export async function accessChannel(sql: Sql, actor: Actor, channelId: number): Promise<SeenChannel> {
  const channels = await loadChannels(sql, actor.user.realmId, possibleIds([channelId]));
  const [seen] = await seenBy(sql, actor, channels);
  if (!seen || !hasMetadataAccess(seen.channel, seen.viewer)) throw invalidChannelId();
  return seen;
}

/** The channel, held against every other change, if the actor may administer it. Who may not even read it is told nothing. */
export async function holdAdministeredChannel(tx: Transaction, actor: Actor, channelId: number): Promise<SeenChannel> {
  const channels = await lockChannelsByIds(tx, actor.user.realmId, possibleIds([channelId]));
  const [seen] = await seenBy(tx, actor, channels);
  if (!seen) throw invalidChannelId();
  if (mayAdminister(seen.channel, seen.viewer)) return seen;
  throw hasContentAccess(seen.channel, seen.viewer) ? new CannotAdministerChannelError() : invalidChannelId();
}

function invalidChannelId(): BadRequestError {
  return new BadRequestError('Invalid channel ID');
}
