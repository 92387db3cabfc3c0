import type { RemoveDefaultChannelRequest, RemoveDefaultChannelResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { announceDefaultChannels } from './announce-default-channels';
import { setIsDefault } from './default-channels.sql';
import { holdChannel } from './hold-channel';

/** From now on, people who are new are not subscribed to the channel; those who are subscribed stay so. */
export async function removeDefaultChannel(
  ctx: Context,
  caller: Caller,
  { channelId }: RemoveDefaultChannelRequest,
): Promise<RemoveDefaultChannelResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    const channel = await holdChannel(tx, realmId, channelId);
    if (!channel.isDefault) return {};
    await setIsDefault(tx, realmId, channelId, false);
    await announceDefaultChannels(tx, realmId);
    return {};
  });
}
