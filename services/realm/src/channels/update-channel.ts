import type { Transaction } from '@parley/shared/db';
import { ChannelAlreadyExistsError } from '@parley/shared/errors';
import type { UpdateChannelRequest, UpdateChannelResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { NO_CHANNEL } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { leaveDefaultChannelGroups } from '../default-channel-groups/leave-default-channel-groups';
import { announceDefaultChannels } from '../default-channels/announce-default-channels';
import { setIsDefault } from '../default-channels/default-channels.sql';
import { holdChannel } from '../default-channels/hold-channel';
import { changeOrganization } from '../realms/change-organization';
import { loadRealmSettings } from '../realms/realm-settings.sql';
import { isUniqueViolation } from '../unique-violation';
import { holdAdministeredChannel, type SeenChannel } from './access-channel';
import { changeArchived } from './change-archived';
import { changeChannel } from './change-channel';
import { CHANNEL_NAME_IS_UNIQUE } from './channels.sql';
import { loadChannelMaker } from './load-channel-maker';
import { type ChannelUpdate, planChannelUpdate } from './plan-channel-update';

/** Changes what a channel is called, who sees it, who may do what in it, and more; or archives it, or brings it back. */
export async function updateChannel(
  ctx: Context,
  caller: Caller,
  request: UpdateChannelRequest,
): Promise<UpdateChannelResponse> {
  const nowMs = ctx.clock.now();
  try {
    await changeOrganization(ctx, caller, anyone, async (tx) => {
      const actor = await loadActor(tx, caller, nowMs);
      const seen = await holdAdministeredChannel(tx, actor, request.channelId);
      if (request.isArchived !== undefined)
        await changeArchived(tx, actor.user, seen.channel, request.isArchived, nowMs);
      const channel = { ...seen.channel, isArchived: request.isArchived ?? seen.channel.isArchived };
      const { change, isDefault } = await planUpdate(ctx, tx, actor, { ...seen, channel }, request);
      // Default channels, and those of sets, are open at any time.
      if (isDefault === false) await changeDefault(tx, caller.realmId, channel.id, false);
      if (change.privacy?.isPrivate) await leaveDefaultChannelGroups(tx, caller.realmId, channel.id);
      if (Object.keys(change).length > 0) await changeChannel(tx, actor.user, channel, change, nowMs);
      if (isDefault === true) await changeDefault(tx, caller.realmId, channel.id, true);
    });
    return {};
  } catch (error) {
    // Somebody made a channel of that name in this moment.
    if (!isUniqueViolation(error, CHANNEL_NAME_IS_UNIQUE)) throw error;
    throw new ChannelAlreadyExistsError((request.newName ?? '').trim());
  }
}

/** Who may is decided for the channel. */
const anyone = () => {};

async function planUpdate(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  seen: SeenChannel,
  request: UpdateChannelRequest,
): Promise<ChannelUpdate> {
  const { realmId } = actor.user;
  const maker = await loadChannelMaker(ctx, tx, actor);
  const { isDefault } = await holdChannel(tx, realmId, seen.channel.id);
  const { moderation_request_channel_id: id } = await loadRealmSettings(tx, realmId);
  const moderationChannelId = id === NO_CHANNEL ? null : id;
  return planChannelUpdate(ctx, tx, request, { ...seen, maker, isDefault, moderationChannelId });
}

async function changeDefault(tx: Transaction, realmId: number, channelId: number, isDefault: boolean): Promise<void> {
  await setIsDefault(tx, realmId, channelId, isDefault);
  await announceDefaultChannels(tx, realmId);
}
