import { LOG_RETENTION_HOURS } from '@parley/shared/bus';
import { BadRequestError, IdempotencyKeyReusedError } from '@parley/shared/errors';
import { runPeriodically } from '@parley/shared/jobs';
import type { SendMessageRequest } from '@parley/shared/proto';
import { deleteOldAnswers } from '@parley/shared/request-keys';
import type { BaseContext } from '@parley/shared/service';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, LIMITS, requestDigest } from '@parley/shared/values';
import { JOB_KEY_PREFIX } from './key-prefixes';
import { deleteSendKeys } from './send-key.sql';

type KeyParts = Pick<SendMessageRequest, 'queueId' | 'localId' | 'idempotencyKey' | 'jobKey'>;

/** Identifies a repeated send, together with its sender; null if the client sent no identification. */
export function sendKeyOf({ queueId, localId, idempotencyKey, jobKey }: KeyParts): string | null {
  if (jobKey) return JOB_KEY_PREFIX + checked('job_key', jobKey);
  if (idempotencyKey) return `key:${checked('Idempotency-Key', idempotencyKey)}`;
  if (queueId && localId) return `queue:${checked('queue_id', queueId)}:${checked('local_id', localId)}`;
  return null;
}

/** A repeated send must have the first one's digest; null: not checked, because the key belongs to one of our jobs. */
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
    throw new BadRequestError(REFUSAL.requests.tooLong(name, String(LIMITS.requestKeyLength)));
  }
  if (text.includes('\0')) throw new BadRequestError(`${name} must not contain null bytes`);
  return text;
}

const EVERY_MS = 10 * 60_000;
const LIFETIME_MS = 24 * 60 * 60_000;
/** As long as the event log may redeliver a notice, and a day more. */
const NOTICE_LIFETIME_MS = LOG_RETENTION_HOURS * 60 * 60_000 + LIFETIME_MS;
const BATCH_SIZE = 5_000;

type Needed = Pick<BaseContext<unknown>, 'db' | 'clock' | 'log'>;

/**
 * Every ten minutes deletes keys: a day after their request, those of notices and jobs when the event log no longer has the
 * notice. Runs until the returned function is called.
 */
export function deleteExpiredSendKeysPeriodically(ctx: Needed): () => Promise<void> {
  return runPeriodically(ctx, { everyMs: EVERY_MS, failure: 'send keys were not expired' }, () => expireSendKeys(ctx));
}

/** In batches, so that no statement locks many rows at once. */
async function expireSendKeys(ctx: Needed): Promise<void> {
  const { db, clock } = ctx;
  const expiry = { noticesBeforeMs: clock.now() - NOTICE_LIFETIME_MS, othersBeforeMs: clock.now() - LIFETIME_MS };
  while ((await deleteSendKeys(db, expiry, BATCH_SIZE)) === BATCH_SIZE);
  while ((await deleteOldAnswers(ctx, BATCH_SIZE)) === BATCH_SIZE);
}
