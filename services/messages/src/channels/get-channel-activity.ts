import { BadRequestError } from '@parley/shared/errors';
import type { ChannelActivities, GetChannelActivityRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findBeginningsVersion, listChannelActivity, listFirstMessages } from './channel-activity.sql';

const MAX_CHANNELS = 100_000;

/** The first message of each channel, and whether it has named topics. Does not check the caller's access to the channels. */
export async function getChannelActivity(
  ctx: Context,
  { realmId }: Caller,
  { channelIds, onlyFirstMessages, knownVersion }: GetChannelActivityRequest,
): Promise<ChannelActivities> {
  if (channelIds.length > MAX_CHANNELS) throw new BadRequestError(`Too many channels (limit: ${MAX_CHANNELS})`);
  if (!onlyFirstMessages) return { activities: await listChannelActivity(ctx.db, realmId, channelIds) };
  if (knownVersion === undefined) return { activities: await listFirstMessages(ctx.db, realmId, channelIds) };
  // Read first: messages of a later version than the one they come with are only asked for once more.
  const version = await findBeginningsVersion(ctx.db, realmId);
  if (version === knownVersion) return { activities: [], version, isKnown: true };
  return { activities: await listFirstMessages(ctx.db, realmId, channelIds), version };
}
