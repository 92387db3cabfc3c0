import { PublicError } from '@parley/shared/errors';
import type { SendMessageRequest, SendMessageResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findFirstAnswer } from '../send-keys/send-key.sql';
import { sendDigestOf, sendKeyOf, sendKeyReused } from '../send-keys/send-keys';
import { gatherSend, prepareMessage } from './prepare-message';

/** Sends a message once: a repeated key gets the first answer again, if the request is the same. */
export async function sendMessage(
  ctx: Context,
  caller: Caller,
  request: SendMessageRequest,
): Promise<SendMessageResponse> {
  const key = sendKeyOf(request);
  const keyDigest = key === null ? null : sendDigestOf(request);
  const gathered = await gatherSend(ctx, caller, request);
  try {
    const message = await prepareMessage(ctx, caller, request, gathered);
    const { messageId, newPolicy, isNew, isReused } = await ctx.storeMessage({ key, keyDigest, ...message });
    if (isReused) throw sendKeyReused(request);
    const { realmId, userId: senderId } = caller;
    if (isNew) ctx.lateCards.want({ realmId, senderId, messageId, urls: message.cardUrls ?? [] });
    return { messageId, ...(newPolicy !== null && { automaticNewVisibilityPolicy: newPolicy }) };
  } catch (error) {
    if (key === null || !(error instanceof PublicError)) throw error;
    // A refused send may be a retry of an accepted one, for example after its channel was archived.
    const first = await findFirstAnswer(ctx, caller.realmId, caller.userId, key);
    if (first === null) throw error;
    const isReused = keyDigest !== null && first.digest !== null && first.digest !== keyDigest;
    if (isReused) throw sendKeyReused(request);
    return { messageId: first.messageId };
  }
}
