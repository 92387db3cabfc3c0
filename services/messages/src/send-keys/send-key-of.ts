import { BadRequestError, IdempotencyKeyReusedError } from '@parley/shared/errors';
import type { SendMessageRequest } from '@parley/shared/proto';
import { codePointLength, LIMITS, requestDigest } from '@parley/shared/values';
import { JOB_KEY_PREFIX } from './job-key';

type KeyParts = Pick<SendMessageRequest, 'queueId' | 'localId' | 'idempotencyKey' | 'jobKey'>;

/** By what a repeated send is recognized, together with its sender; null when the client named nothing to recognize it by. */
export function sendKeyOf({ queueId, localId, idempotencyKey, jobKey }: KeyParts): string | null {
  if (jobKey) return JOB_KEY_PREFIX + checked('job_key', jobKey);
  if (idempotencyKey) return `key:${checked('Idempotency-Key', idempotencyKey)}`;
  if (queueId && localId) return `queue:${checked('queue_id', queueId)}:${checked('local_id', localId)}`;
  return null;
}

/** What a repeated send must have in common with the first one of its key; null: nothing, the key is one of our own jobs. */
export function sendDigestOf(request: SendMessageRequest): string | null {
  if (request.jobKey) return null;
  const { channelId, channelName, recipientIds, recipientEmails, isDirect, topic, content, widgetContent } = request;
  const destination = [channelId, channelName, recipientIds.toSorted((a, b) => a - b), recipientEmails.toSorted()];
  return requestDigest([...destination, isDirect, topic, content, widgetContent]);
}

export function sendKeyReused({ idempotencyKey }: KeyParts): IdempotencyKeyReusedError {
  return new IdempotencyKeyReusedError(idempotencyKey ? 'Idempotency-Key' : 'queue_id with this local_id');
}

function checked(name: string, text: string): string {
  if (codePointLength(text) > LIMITS.requestKeyLength) {
    throw new BadRequestError(`${name} is too long (limit: ${LIMITS.requestKeyLength} characters)`);
  }
  if (text.includes('\0')) throw new BadRequestError(`${name} must not contain null bytes`);
  return text;
}
