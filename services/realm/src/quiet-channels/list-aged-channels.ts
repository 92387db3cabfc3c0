import { BadRequestError } from '@parley/shared/errors';
import type { AgedChannels, ListAgedChannelsRequest } from '@parley/shared/proto';
import type { Context } from '../context';
import { listAgedChannels as loadAgedChannels } from './quiet-channels.sql';

const MAX_CHANNELS = 1_000;
const BEFORE_ALL = { realmId: 0, channelId: 0 };

/** Channels that may be quiet by their age, and whether they are; for whoever goes through all of them. */
export async function listAgedChannels(
  { db }: Context,
  { createdBeforeMs, after, limit }: ListAgedChannelsRequest,
): Promise<AgedChannels> {
  if (limit > MAX_CHANNELS) throw new BadRequestError(`Too many channels in one call (limit: ${MAX_CHANNELS})`);
  return { channels: await loadAgedChannels(db, createdBeforeMs, after ?? BEFORE_ALL, limit) };
}
