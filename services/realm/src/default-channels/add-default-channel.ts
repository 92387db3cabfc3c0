import { BadRequestError } from '@parley/shared/errors';
import type { AddDefaultChannelRequest, AddDefaultChannelResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { announceDefaultChannels } from './announce-default-channels';
import { setIsDefault } from './default-channels.sql';
import { holdChannel } from './hold-channel';

/** From now on, people who are new are subscribed to the channel. */
export async function addDefaultChannel(
  ctx: Context,
  caller: Caller,
  { channelId }: AddDefaultChannelRequest,
): Promise<AddDefaultChannelResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    const channel = await holdChannel(tx, realmId, channelId);
    if (channel.isArchived) throw new BadRequestError('Invalid channel ID');
    if (channel.isPrivate) throw new BadRequestError('Private channels cannot be made default.');
    if (channel.isDefault) return {};
    await setIsDefault(tx, realmId, channelId, true);
    await announceDefaultChannels(tx, realmId);
    return {};
  });
}
