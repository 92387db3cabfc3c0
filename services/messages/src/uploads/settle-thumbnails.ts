import { announce } from '@parley/shared/bus';
import { ChangedMeanwhile, repeatOnConflict } from '@parley/shared/db';
import type { Audience } from '@parley/shared/events';
import type { ChannelKind, SettleThumbnailsRequest, SettleThumbnailsResponse } from '@parley/shared/proto';
import { loadChannelKinds } from '../channels/load-channel-kinds';
import type { Context } from '../context';
import { audienceOfMessage } from '../edits/edit-audiences';
import type { HeldMessageRow } from '../messages/message.sql';
import { lockByPath, type UploadRow } from './attachment.sql';
import { showSettled } from './show-settled';
import { listWaitingChannels, settle } from './thumbnails.sql';

/** Notes whether an image's thumbnails can be shown, and puts them (or nothing) where messages hold their place. */
export function settleThumbnails(ctx: Context, request: SettleThumbnailsRequest): Promise<SettleThumbnailsResponse> {
  const { realmId, pathId, isReady } = request;
  return repeatOnConflict(realmId, async () => {
    const channels = await loadChannelKinds(ctx, realmId, await listWaitingChannels(ctx.db, request));
    return ctx.db.transaction(async (tx) => {
      if ((await settle(tx, { realmId, pathId }, isReady)) === null) return {};
      const upload = (await lockByPath(tx, realmId, pathId)) as UploadRow;
      const audienceOf = (message: HeldMessageRow) => audienceNow(message, channels);
      await announce(tx, ...(await showSettled(tx, realmId, upload, audienceOf, ctx.clock.now())));
      return {};
    });
  });
}

/** Throws when the message came to its channel after the channels were asked for. */
function audienceNow(message: HeldMessageRow, channels: ReadonlyMap<number, ChannelKind>): Audience {
  if (message.channelId !== null && !channels.has(message.channelId)) throw new ChangedMeanwhile();
  return audienceOfMessage(message, channels, [], message.holderIds);
}
