import type { Transaction } from '@parley/shared/db';
import { BadRequestError, NothingToDoError } from '@parley/shared/errors';
import { cancelDueJob, type JobKey } from '@parley/shared/jobs';
import type { ScheduledMessage } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import type { StoredMessage } from './scheduled-message.sql';

export const JOB_KIND = 'scheduled_message';

/** The job that sends it. */
export function jobOf({ realmId, id }: Pick<StoredMessage, 'realmId' | 'id'>): JobKey {
  return { realmId, kind: JOB_KIND, id };
}

/** The scheduled message for its author and other services. */
export function presentScheduledMessage(stored: StoredMessage): ScheduledMessage {
  const { id, channelId, recipientIds, topic, content, renderedContent, deliverAtMs, failureMessage } = stored;
  const place = channelId === null ? {} : { channelId };
  return {
    id,
    ...place,
    recipientIds,
    topic,
    content,
    renderedContent,
    deliverAtMs,
    hasFailed: failureMessage !== null,
  };
}

/** The message, if it is the caller's and can still be changed; throws otherwise. */
export function accessOwn({ userId }: Pick<Caller, 'userId'>, message: StoredMessage | null): StoredMessage {
  if (message?.userId !== userId) throw scheduledMessageDoesNotExist();
  if (message.sentMessageId !== null) throw scheduledMessageWasSent();
  return message;
}

/** Cancels the job of the message, which is locked. Throws when a replica has begun to send it: the outcome is not known yet. */
export async function cancelJob(tx: Transaction, message: StoredMessage): Promise<void> {
  if (message.failureMessage !== null) return;
  if (!(await cancelDueJob(tx, jobOf(message)))) throw scheduledMessageWasSent();
}

function scheduledMessageDoesNotExist(): BadRequestError {
  return new NothingToDoError(REFUSAL.messages.noScheduled, 404);
}

/** Also while it is being sent, as the outcome is not known yet. */
function scheduledMessageWasSent(): BadRequestError {
  return new BadRequestError(REFUSAL.messages.sentAlready);
}
