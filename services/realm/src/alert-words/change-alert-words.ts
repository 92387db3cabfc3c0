import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { alertWordsChanged } from '@parley/shared/events';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { lockUser } from '../users/users.sql';
import { listAlertWords } from './alert-words.sql';
import { MAX_ALERT_WORDS } from './words-from-input';

/** Runs `change`, announces the caller's words if it says that they are others than before, and answers them. */
export async function changeAlertWords(
  ctx: Context,
  { realmId, userId }: Caller,
  change: (tx: Transaction) => Promise<boolean>,
): Promise<string[]> {
  return ctx.db.transaction(async (tx) => {
    await lockUser(tx, realmId, userId);
    const isChanged = await change(tx);
    const alertWords = await listAlertWords(tx, realmId, userId);
    if (alertWords.length > MAX_ALERT_WORDS) {
      throw new BadRequestError(`You cannot have more than ${MAX_ALERT_WORDS} alert words.`);
    }
    if (isChanged) await announce(tx, alertWordsChanged(realmId, { userId, alertWords }));
    return alertWords.map(({ word }) => word);
  });
}
