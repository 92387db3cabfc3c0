import type { Channel, GetChannelRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { accessChannel } from './access-channel';

/** A channel with everything that whoever may know of it may know. */
export async function getChannel(ctx: Context, caller: Caller, { channelId }: GetChannelRequest): Promise<Channel> {
  const actor = await loadActor(ctx.db, caller, ctx.clock.now());
  const { channel } = await accessChannel(ctx.db, actor, channelId);
  return channel;
}
