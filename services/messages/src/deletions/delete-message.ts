import { BadRequestError } from '@parley/shared/errors';
import type { Channel, DeleteMessageRequest, DeleteMessageResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { checkAccess, type Facts, findMessage, loadEditFacts } from '../edits/edit-facts';
import { repeatOnConflict } from '../edits/repeat-on-conflict';
import type { MessageRow } from '../messages/message.sql';
import { deleteMessages } from './delete-messages';
import { checkDeletion } from './permissions';

/** Deletes one message. */
export function deleteMessage(
  ctx: Context,
  caller: Caller,
  { messageId }: DeleteMessageRequest,
): Promise<DeleteMessageResponse> {
  return repeatOnConflict(async () => {
    const message = await findMessage(ctx, caller, messageId);
    const facts = await loadEditFacts(ctx, caller, message.channelId === null ? [] : [message.channelId]);
    checkAccess(message, facts);
    await checkRight(ctx, caller, message, facts);
    const deletion = { realmId: caller.realmId, messageIds: [messageId], channels: channelsOf(facts) };
    const nowMs = ctx.clock.now();
    const deleted = await ctx.db.transaction((tx) =>
      deleteMessages(tx, { ...deletion, actorIds: [caller.userId], nowMs }),
    );
    if (deleted.length === 0) throw new BadRequestError('Message already deleted');
    return {};
  });
}

async function checkRight(ctx: Context, caller: Caller, message: MessageRow, facts: Facts): Promise<void> {
  const { senderId, sentAtMs, channelId } = message;
  const isOthers = senderId !== caller.userId;
  const { users } = isOthers ? await ctx.services.realm.getUsers(caller, { userIds: [senderId] }) : { users: [] };
  checkDeletion({
    actorId: caller.userId,
    senderId,
    senderOwnerId: users[0]?.botOwnerId,
    sentAtMs,
    realm: facts.permissions,
    channel: new Set(channelId === null ? [] : facts.channels.get(channelId)?.permissions),
    limitSecs: facts.settings.message_content_delete_limit_seconds,
    nowMs: ctx.clock.now(),
  });
}

export function channelsOf({ channels }: Facts): Map<number, Channel> {
  return new Map([...channels].flatMap(([id, { send }]) => (send?.channel ? [[id, send.channel]] : [])));
}
