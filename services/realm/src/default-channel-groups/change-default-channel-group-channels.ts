import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type {
  ChangeDefaultChannelGroupChannelsRequest,
  ChangeDefaultChannelGroupChannelsResponse,
  Channel,
  DefaultChannelGroup,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { changeDefaultChannelGroups } from './change-default-channel-groups';
import { checkNewChannels } from './check-new-channels';
import { findGroup, findNamedChannels } from './default-channel-group-input';
import { deleteGroupChannels, insertGroupChannels } from './default-channel-groups.sql';

/** Puts channels into a set, or takes them out. */
export async function changeDefaultChannelGroupChannels(
  ctx: Context,
  caller: Caller,
  { id, areAdded, channelNames }: ChangeDefaultChannelGroupChannelsRequest,
): Promise<ChangeDefaultChannelGroupChannelsResponse> {
  const { realmId } = caller;
  return changeDefaultChannelGroups(ctx, caller, async ({ tx, groups }) => {
    const group = findGroup(groups, id);
    const channels = await findNamedChannels(tx, realmId, channelNames);
    if (areAdded) await add(tx, realmId, group, channels);
    else await remove(tx, realmId, group, channels);
    return {};
  });
}

async function add(
  tx: Transaction,
  realmId: number,
  group: DefaultChannelGroup,
  channels: readonly Channel[],
): Promise<void> {
  await checkNewChannels(tx, realmId, group, channels);
  await insertGroupChannels(
    tx,
    realmId,
    group.id,
    channels.map(({ id }) => id),
  );
}

async function remove(
  tx: Transaction,
  realmId: number,
  group: DefaultChannelGroup,
  channels: readonly Channel[],
): Promise<void> {
  const stranger = channels.find(({ id }) => !group.channelIds.includes(id));
  if (stranger) {
    throw new BadRequestError(`Channel '${stranger.name}' is not present in default channel group '${group.name}'`);
  }
  await deleteGroupChannels(
    tx,
    realmId,
    group.id,
    channels.map(({ id }) => id),
  );
}
