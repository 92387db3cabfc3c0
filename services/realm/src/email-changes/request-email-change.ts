import type { Transaction } from '@parley/shared/db';
import { RateLimitHitError } from '@parley/shared/errors';
import { putMail } from '@parley/shared/mail';
import type { User } from '@parley/shared/proto';
import { deleteEmailChanges, insertEmailChange, listRequestTimes } from './email-changes.sql';
import { DAY_MS, secondsToWait } from './request-limit';

/** For how long the link in the mail works. */
export const VALID_MS = DAY_MS;

/** Sends a link to the new address, in a transaction that holds the account; whoever opens it there has proved that the address is theirs. */
export async function requestEmailChange(
  tx: Transaction,
  { realmId, id: userId, deliveryEmail: oldEmail }: User,
  newEmail: string,
  nowMs: number,
): Promise<void> {
  const waitSecs = secondsToWait(await listRequestTimes(tx, realmId, userId, nowMs - DAY_MS), nowMs);
  if (waitSecs > 0) throw new RateLimitHitError(waitSecs);
  await deleteEmailChanges(tx, nowMs - Math.max(DAY_MS, VALID_MS));
  const emailChangeId = await insertEmailChange(tx, { realmId, userId, oldEmail, newEmail, nowMs });
  await putMail(tx, {
    realmId,
    template: 'email-confirmation',
    recipient: newEmail,
    content: { emailChangeId },
    nowMs,
  });
}
