import type { AddAlertWordsRequest, AlertWords } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { insertAlertWords } from './alert-words.sql';
import { changeAlertWords } from './change-alert-words';
import { wordsFromInput } from './words-from-input';

/** Adds to the caller's alert words those they do not have yet, in whatever casing; answers all of them. */
export async function addAlertWords(ctx: Context, caller: Caller, request: AddAlertWordsRequest): Promise<AlertWords> {
  const words = wordsFromInput(request.words);
  const addedAtMs = ctx.clock.now();
  const all = await changeAlertWords(ctx, caller, async (tx) => {
    const addedCount = await insertAlertWords(tx, { ...caller, words, addedAtMs });
    return addedCount > 0;
  });
  return { words: all };
}
