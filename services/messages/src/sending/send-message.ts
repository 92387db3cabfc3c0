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
    if (!isNew) return (await firstAnswer(ctx, caller, request)) ?? { messageId };
    ctx.lateCards.want({ realmId, senderId, messageId, urls: message.cardUrls ?? [] });
    return answerOf({ messageId, newPolicy });
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    // A refused send may be a retry of an accepted one, for example after its channel was archived.
    const first = await firstAnswer(ctx, caller, request);
    if (first === null) throw error;
    return first;
  }
}

/** Null: the key, if there is one, was not used yet. Throws IDEMPOTENCY_KEY_REUSED. */
async function firstAnswer(
  ctx: Context,
  { realmId, userId }: Caller,
  request: SendMessageRequest,
): Promise<SendMessageResponse | null> {
  const key = sendKeyOf(request);
  const first = key === null ? null : await findFirstAnswer(ctx, realmId, userId, key);
  if (first === null) return null;
  const digest = sendDigestOf(request);
  if (digest !== null && first.digest !== null && first.digest !== digest) throw sendKeyReused(request);
  return answerOf(first);
}

function answerOf({ messageId, newPolicy }: { messageId: number; newPolicy: number | null }): SendMessageResponse {
  return { messageId, ...(newPolicy !== null && { automaticNewVisibilityPolicy: newPolicy }) };
}
