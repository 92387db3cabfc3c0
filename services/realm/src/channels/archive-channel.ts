import type { ArchiveChannelRequest, ArchiveChannelResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { changeOrganization } from '../realms/change-organization';
import { holdAdministeredChannel } from './access-channel';
import { changeArchived } from './change-archived';

/** Puts a channel out of use. */
export async function archiveChannel(
  ctx: Context,
  caller: Caller,
  { channelId }: ArchiveChannelRequest,
): Promise<ArchiveChannelResponse> {
  const nowMs = ctx.clock.now();
  // Who may is decided for the channel.
  return changeOrganization(
    ctx,
    caller,
    () => {},
    async (tx) => {
      const actor = await loadActor(tx, caller, nowMs);
      const { channel } = await holdAdministeredChannel(tx, actor, channelId);
      await changeArchived(tx, actor.user, channel, true, nowMs);
      return {};
    },
  );
}
