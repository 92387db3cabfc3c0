import { BadRequestError } from '@parley/shared/errors';
import type { ChannelActivities, GetChannelActivityRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listChannelActivity, listFirstMessages } from './channel-activity.sql';

const MAX_CHANNELS = 100_000;

/** The first message of each channel, and whether it has named topics. Does not check the caller's access to the channels. */
export async function getChannelActivity(
  ctx: Context,
  { realmId }: Caller,
  { channelIds, onlyFirstMessages }: GetChannelActivityRequest,
): Promise<ChannelActivities> {
  if (channelIds.length > MAX_CHANNELS) throw new BadRequestError(`Too many channels (limit: ${MAX_CHANNELS})`);
  const list = onlyFirstMessages ? listFirstMessages : listChannelActivity;
  const activities = await list(ctx.db, realmId, channelIds);
  return { activities };
}
