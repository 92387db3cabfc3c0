import { repeatOnConflict } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { Channel, DeleteMessageRequest, DeleteMessageResponse } from '@parley/shared/proto';
import { type Caller, OPERATOR_ADDRESS } from '@parley/shared/rpc';
import type { Context } from '../context';
import { checkAccess, type DeletionFacts, findMessage, loadDeletionFacts } from '../edits/edit-facts';
import { channelsOf as scopeOf } from '../messages/load-reader';
import type { MessageRow } from '../messages/message.sql';
import { deleteAsOperator } from './delete-as-operator';
import { deleteMessages, toldOutside } from './delete-messages';
import { checkDeletion } from './permissions';

/** Deletes one message. */
export function deleteMessage(
  ctx: Context,
  caller: Caller,
  { messageId }: DeleteMessageRequest,
): Promise<DeleteMessageResponse> {
  if (caller.clientAddress === OPERATOR_ADDRESS) return deleteAsOperator(ctx, caller, { messageId });
  return repeatOnConflict(caller.realmId, async () => {
    const message = await findMessage(ctx, caller, messageId);
    const facts = await loadDeletionFacts(ctx, caller, {
      channelIds: message.channelId === null ? [] : [message.channelId],
      readChannels: scopeOf([message]),
      authorId: message.senderId,
    });
    checkAccess(message, facts);
    checkRight(caller, message, facts, ctx.clock.now());
    const { realmId, userId } = caller;
    const given = { realmId, messageIds: [messageId], channels: channelsOf(facts), actorIds: [userId] };
    const deletion = await toldOutside(ctx, { ...given, nowMs: ctx.clock.now() });
    const deleted = await ctx.db.transaction((tx) => deleteMessages(tx, deletion));
    if (deleted.length === 0) throw new BadRequestError('Message already deleted');
    return {};
  });
}

function checkRight(caller: Caller, message: MessageRow, facts: DeletionFacts, nowMs: number): void {
  const { senderId, sentAtMs, channelId } = message;
  checkDeletion({
    actorId: caller.userId,
    senderId,
    senderOwnerId: facts.authorOwnerId,
    sentAtMs,
    realm: facts.permissions,
    channel: new Set(channelId === null ? [] : facts.channels.get(channelId)?.permissions),
    limitSecs: facts.settings.message_content_delete_limit_seconds,
    nowMs,
  });
}

export function channelsOf({ channels }: DeletionFacts): Map<number, Channel> {
  return new Map([...channels].flatMap(([id, { channel }]) => (channel ? [[id, channel]] : [])));
}
