import type { AlertWords, RemoveAlertWordsRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { deleteAlertWords } from './alert-words.sql';
import { changeAlertWords } from './change-alert-words';
import { wordsFromInput } from './words-from-input';

/** Takes words, in whatever casing, from the caller's alert words; answers what is left. */
export async function removeAlertWords(
  ctx: Context,
  caller: Caller,
  request: RemoveAlertWordsRequest,
): Promise<AlertWords> {
  const keys = wordsFromInput(request.words).map(({ key }) => key);
  const left = await changeAlertWords(ctx, caller, async (tx) => {
    const removedCount = await deleteAlertWords(tx, caller.realmId, caller.userId, keys);
    return removedCount > 0;
  });
  return { words: left };
}
