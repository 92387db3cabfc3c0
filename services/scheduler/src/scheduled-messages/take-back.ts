import type { Transaction } from '@parley/shared/db';
import { cancelDueJob } from '../due-jobs';
import { jobOf, type StoredMessage } from './scheduled-message';
import { scheduledMessageWasSent } from './scheduled-message-errors';

/**
 * Sees to it that nobody sends the message, which is locked. Throws when a replica has begun to: it may be sent although nobody has
 * heard of that yet.
 */
export async function takeBack(tx: Transaction, message: StoredMessage): Promise<void> {
  if (message.failureMessage !== null) return;
  if (!(await cancelDueJob(tx, jobOf(message)))) throw scheduledMessageWasSent();
}
