import type { ChannelMembers, GetChannelMembersRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { accessChannel } from './access-channel';
import { listSubscriberIds } from './channel-sight.sql';

/** Who is subscribed to a channel. */
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
