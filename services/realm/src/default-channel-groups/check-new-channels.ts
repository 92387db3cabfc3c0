import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { Channel, DefaultChannelGroup } from '@parley/shared/proto';
import { listDefaultChannelIds } from '../default-channels/default-channels.sql';

/** Refuses channels that the set holds already, that everybody gets anyway, or that are private: everybody is told what sets hold. */
export async function checkNewChannels(
  sql: Sql,
  realmId: number,
  { name, channelIds }: Pick<DefaultChannelGroup, 'name' | 'channelIds'>,
  channels: readonly Channel[],
): Promise<void> {
  const defaultIds = new Set(await listDefaultChannelIds(sql, realmId));
  for (const channel of channels) {
    if (channel.isPrivate) throw new BadRequestError('Private channels cannot be made default.');
    if (channelIds.includes(channel.id)) {
      throw new BadRequestError(`Channel '${channel.name}' is already present in default channel group '${name}'`);
    }
    if (defaultIds.has(channel.id)) {
      throw new BadRequestError(`'${channel.name}' is a default channel and cannot be added to '${name}'`);
    }
  }
}
