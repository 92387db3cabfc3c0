import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { type Audience, channelChanged } from '@parley/shared/events';
import type { SetQuietChannelsRequest, SetQuietChannelsResponse } from '@parley/shared/proto';
import { audiencesOf } from '../channels/channel-audience';
import { lockChannelsByIds } from '../channels/channels.sql';
import type { Context } from '../context';
import { updateIsQuiet } from './quiet-channels.sql';

const MAX_CHANNELS = 1_000;

type Needed = Pick<Context, 'db' | 'clock'>;

/** Makes channels quiet, or not so any more: of those that are so already nothing is told, whoever else is just doing the same. */
export async function setQuietChannels(
  { db, clock }: Needed,
  { realmId, channelIds, isQuiet }: SetQuietChannelsRequest,
): Promise<SetQuietChannelsResponse> {
  if (channelIds.length > MAX_CHANNELS)
    throw new BadRequestError(`Too many channels in one call (limit: ${MAX_CHANNELS})`);
  await db.transaction(async (tx) => {
    const held = await lockChannelsByIds(tx, realmId, channelIds);
    const others = held.filter((channel) => (channel.isQuiet === true) !== isQuiet);
    if (others.length === 0) return;
    const ids = others.map(({ id }) => id);
    await updateIsQuiet(tx, realmId, ids, isQuiet);
    const audiences = await audiencesOf(tx, realmId, others, clock.now());
    const events = others.map(({ id: channelId, name, isArchived }) => {
      const audience = audiences.get(channelId) as Audience;
      return channelChanged(realmId, { channelId, name, isArchived, change: { isQuiet }, audience });
    });
    await announce(tx, ...events);
  });
  return {};
}
