import type { CheckedMessage, CheckMessageRequest, SendMessageRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { keepUploads } from '../uploads/attachment.sql';
import { UNUSED_LIFETIME_MS } from '../uploads/upload-lifetimes';
import { gatherSend, prepareMessage } from './prepare-message';

/** What would be sent now, for somebody who sends it later; throws what sending it would throw. */
export async function checkMessage(
  ctx: Context,
  caller: Caller,
  { message, keepsUploadsUntilMs }: CheckMessageRequest,
): Promise<CheckedMessage> {
  const request = message as SendMessageRequest;
  const gathered = await gatherSend(ctx, caller, request);
  const { sent, attachmentIds = [] } = await prepareMessage(ctx, caller, request, gathered);
  if (attachmentIds.length > 0) {
    await keepUploads(ctx.db, caller.realmId, attachmentIds, keepsUploadsUntilMs + UNUSED_LIFETIME_MS);
  }
  const { content, renderedContent, channelId, topic, participants } = sent.message;
  return {
    content,
    renderedContent,
    ...(channelId !== undefined && { channelId }),
    topic,
    participantIds: participants.map(({ id }) => id),
  };
}
