import { announce } from '@parley/shared/bus';
import { ChangedMeanwhile, repeatOnConflict } from '@parley/shared/db';
import type { Audience } from '@parley/shared/events';
import type { SettleThumbnailsRequest, SettleThumbnailsResponse } from '@parley/shared/proto';
import { loadChannelKinds } from '../channels/load-channel-kinds';
import { requireAsked, withOutsiders } from '../channels/outsiders';
import type { Context } from '../context';
import { audienceOfMessage, type ToldChannel } from '../edits/edit-audiences';
import type { HeldMessageRow } from '../messages/message.sql';
import { listHistoricalHolders } from '../read-state/personal-flags.sql';
import { lockByPath, type UploadRow } from './attachment.sql';
import { showSettled } from './show-settled';
import { listWaitingIn, settle } from './thumbnails.sql';

/** Notes whether an image's thumbnails can be shown, and puts them (or nothing) where messages hold their place. */
export function settleThumbnails(ctx: Context, request: SettleThumbnailsRequest): Promise<SettleThumbnailsResponse> {
  const { realmId, pathId, isReady } = request;
  return repeatOnConflict(realmId, async () => {
    const channels = await loadToldChannels(ctx, request);
    return ctx.db.transaction(async (tx) => {
      if ((await settle(tx, { realmId, pathId }, isReady)) === null) return {};
      const upload = (await lockByPath(tx, realmId, pathId)) as UploadRow;
      const audienceOf = (message: HeldMessageRow) => audienceNow(message, channels);
      await announce(tx, ...(await showSettled(tx, realmId, upload, audienceOf, ctx.clock.now())));
      return {};
    });
  });
}

/** The channels of the messages that wait for them. */
async function loadToldChannels(
  ctx: Context,
  request: SettleThumbnailsRequest,
): Promise<ReadonlyMap<number, ToldChannel>> {
  const { realmId } = request;
  const waiting = await listWaitingIn(ctx.db, request);
  const kinds = await loadChannelKinds(ctx, realmId, [...new Set(waiting.map(({ channelId }) => channelId))]);
  const isAnyPrivate = [...kinds.values()].some(({ isPrivate }) => isPrivate);
  const messageIds = waiting.map(({ messageId }) => messageId);
  const holderIds = isAnyPrivate ? await listHistoricalHolders(ctx.db, realmId, messageIds) : [];
  const told = await withOutsiders(ctx, realmId, [...kinds.values()], holderIds);
  return new Map(told.map((channel) => [channel.id, channel]));
}

/** Throws when the message came to its channel after the channels were asked for. */
function audienceNow(message: HeldMessageRow, channels: ReadonlyMap<number, ToldChannel>): Audience {
  const channel = message.channelId === null ? null : channels.get(message.channelId);
  if (channel === undefined) throw new ChangedMeanwhile();
  if (channel) requireAsked(channel, message.holderIds);
  return audienceOfMessage(message, channels, [], message.holderIds);
}
