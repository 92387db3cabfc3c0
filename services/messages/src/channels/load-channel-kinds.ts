import type { ChannelKind } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';

/** Current privacy and version of channels, by id: one call of realm, none without channels. */
export async function loadChannelKinds(
  ctx: Context,
  realmId: number,
  channelIds: readonly number[],
): Promise<ReadonlyMap<number, ChannelKind>> {
  if (channelIds.length === 0) return new Map();
  const { channels } = await ctx.services.realm.listChannelKinds(newCall(), { realmId, channelIds: [...channelIds] });
  return new Map(channels.map((channel) => [channel.id, channel]));
}
