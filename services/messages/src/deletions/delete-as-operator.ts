import { announce } from '@parley/shared/bus';
import { repeatOnConflict } from '@parley/shared/db';
import { actPerformed } from '@parley/shared/events';
import type { DeleteMessageRequest, DeleteMessageResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadChannelKinds } from '../channels/load-channel-kinds';
import type { Context } from '../context';
import { findMessage, invalidMessage } from '../edits/edit-facts';
import { deleteMessages } from './delete-messages';

/** Deletes any message, wherever it is; recorded as what the operator has done. For the operator's command. */
export function deleteAsOperator(
  ctx: Context,
  caller: Caller,
  { messageId }: DeleteMessageRequest,
): Promise<DeleteMessageResponse> {
  const { realmId, userId, requestId } = caller;
  return repeatOnConflict(realmId, async () => {
    const { channelId, senderId } = await findMessage(ctx, caller, messageId);
    const kinds = await loadChannelKinds(ctx, realmId, channelId === null ? [] : [channelId]);
    const channels = new Map([...kinds].map(([id, kind]) => [id, { ...kind, name: '' }]));
    const deletion = { realmId, messageIds: [messageId], channels, actorIds: [], nowMs: ctx.clock.now() };
    const deed = { name: 'delete-message', actor: { kind: 'operator' as const, id: userId }, requestId };
    const before = { sender: senderId, ...(channelId !== null && { channel: channelId }) };
    await ctx.db.transaction(async (tx) => {
      if ((await deleteMessages(tx, deletion)).length === 0) throw invalidMessage();
      await announce(tx, actPerformed(realmId, { ...deed, kind: 'message', ids: [messageId], before }));
    });
    return {};
  });
}
