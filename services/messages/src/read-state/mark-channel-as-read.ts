import type { MarkChannelAsReadRequest, MarkChannelAsReadResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { loadReader } from '../messages/load-reader';
import { markUnread } from './mark-unread';
import { checkChannel } from './permissions';
import { markChannelRead } from './read-state.sql';

/** Everything that was sent to the channel so far is read. */
export async function markChannelAsRead(
  ctx: Context,
  caller: Caller,
  { channelId }: MarkChannelAsReadRequest,
): Promise<MarkChannelAsReadResponse> {
  const reader = await loadReader(ctx, caller, { ids: [channelId] });
  checkChannel(reader, channelId);
  await markUnread(ctx, reader, { channelIds: [channelId] }, (tx) =>
    markChannelRead(tx, caller.realmId, caller.userId, channelId),
  );
  return {};
}
