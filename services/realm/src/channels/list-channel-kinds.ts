import type { ChannelKinds, ListChannelKindsRequest } from '@parley/shared/proto';
import type { Context } from '../context';
import { possibleIds } from '../possible-values';
import { findKinds } from './channel-kinds.sql';

/** Who may read what in the channels, and the versions of their subscribers. */
export async function listChannelKinds(
  { db }: Context,
  { realmId, channelIds }: ListChannelKindsRequest,
): Promise<ChannelKinds> {
  return { channels: await findKinds(db, realmId, possibleIds(channelIds)) };
}
