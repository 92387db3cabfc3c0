import { announce } from '@parley/shared/bus';
import { repeatOnConflict } from '@parley/shared/db';
import { actPerformed } from '@parley/shared/events';
import type { DeleteMessageRequest, DeleteMessageResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findMessage, invalidMessage } from '../edits/edit-facts';
import { deleteMessages, toldOutside } from './delete-messages';
import { loadChannelsOfDeletion } from './load-channels-of-deletion';

/** Deletes any message, wherever it is; recorded as what the operator has done. For the operator's command. */
export function deleteAsOperator(
  ctx: Context,
  caller: Caller,
  { messageId }: DeleteMessageRequest,
): Promise<DeleteMessageResponse> {
  const { realmId, userId, requestId } = caller;
  return repeatOnConflict(realmId, async () => {
    const message = await findMessage(ctx, caller, messageId);
    const { channelId, senderId } = message;
    const channels = await loadChannelsOfDeletion(ctx, realmId, [message]);
    const given = { realmId, messageIds: [messageId], channels, actorIds: [], nowMs: ctx.clock.now() };
    const deletion = await toldOutside(ctx, given);
    const deed = { name: 'delete-message', actor: { kind: 'operator' as const, id: userId }, requestId };
    const before = { sender: senderId, ...(channelId !== null && { channel: channelId }) };
    await ctx.db.transaction(async (tx) => {
      if ((await deleteMessages(tx, deletion)).length === 0) throw invalidMessage();
      await announce(tx, actPerformed(realmId, { ...deed, kind: 'message', ids: [messageId], before }));
    });
    return {};
  });
}
