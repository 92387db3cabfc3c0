import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { defaultChannelsChanged } from '@parley/shared/events';
import type {
  AddDefaultChannelRequest,
  AddDefaultChannelResponse,
  RemoveDefaultChannelRequest,
  RemoveDefaultChannelResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { isGuest, ROLE_VALUES } from '@parley/shared/values';
import { listActiveUserIdsOfRoles } from '../accounts/users.sql';
import { requireAdministrator } from '../base/guards';
import { possibleIds } from '../base/possible-values';
import type { Context } from '../context';
import { changeOrganization } from '../organization/change-organization';
import {
  type DefaultCandidate,
  listDefaultChannelIds,
  lockDefaultCandidate,
  setIsDefault,
} from './default-channels.sql';

/** Makes the channel a default one: new users are subscribed to it. */
export async function addDefaultChannel(
  ctx: Context,
  caller: Caller,
  { channelId }: AddDefaultChannelRequest,
): Promise<AddDefaultChannelResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    const channel = await holdChannel(tx, realmId, channelId);
    if (channel.isArchived) throw new BadRequestError('Invalid channel ID');
    if (channel.isPrivate) throw new BadRequestError(REFUSAL.channels.noPrivateDefault);
    if (channel.isDefault) return {};
    await setIsDefault(tx, realmId, channelId, true);
    await announceDefaultChannels(tx, realmId);
    return {};
  });
}

/** Ends the channel's default; existing subscriptions stay. */
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

/** Locks the channel. Administrators see every channel, so it need only exist. */
export async function holdChannel(tx: Transaction, realmId: number, channelId: number): Promise<DefaultCandidate> {
  const [id] = possibleIds([channelId]);
  const channel = id === undefined ? null : await lockDefaultCandidate(tx, realmId, id);
  if (channel === null) throw new BadRequestError('Invalid channel ID');
  return channel;
}

const NON_GUEST_ROLES = ROLE_VALUES.filter((role) => !isGuest(role));

/** Announces the organization's present default channels. Called after every change of them, archiving included. */
export async function announceDefaultChannels(tx: Transaction, realmId: number): Promise<void> {
  const channelIds = await listDefaultChannelIds(tx, realmId);
  const receiverIds = await listActiveUserIdsOfRoles(tx, realmId, NON_GUEST_ROLES);
  await announce(tx, defaultChannelsChanged(realmId, { channelIds, receiverIds }));
}
