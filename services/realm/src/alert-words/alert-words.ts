import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { alertWordsChanged } from '@parley/shared/events';
import type { AddAlertWordsRequest, AlertWords, RemoveAlertWordsRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { codePointLength, findForbiddenCharacter } from '@parley/shared/values';
import { lockUser } from '../accounts/users.sql';
import { nameKey } from '../base/name-key';
import type { Context } from '../context';
import { deleteAlertWords, insertAlertWords, listAlertWords } from './alert-words.sql';

/** The caller's alert words. */
export async function getAlertWords(ctx: Context, { realmId, userId }: Caller): Promise<AlertWords> {
  const alertWords = await listAlertWords(ctx.db, realmId, userId);
  return { words: alertWords.map(({ word }) => word) };
}

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

/** Runs `change`, announces the caller's words if it says that they are others than before, and answers them. */
async function changeAlertWords(
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

const MAX_LENGTH = 100;
// SPEC-GAP: no bound is given; every message is looked at for every word.
const MAX_ALERT_WORDS = 1_000;

interface AlertWord {
  word: string;
  key: string;
}

/** The words that a list means: trimmed, blank ones left out. */
function wordsFromInput(texts: readonly string[]): AlertWord[] {
  if (texts.length > MAX_ALERT_WORDS) {
    throw new BadRequestError(`alert_words is too long (limit: ${MAX_ALERT_WORDS} items)`);
  }
  texts.forEach(checkWord);
  const words = texts.map((text) => text.trim()).filter((word) => word !== '');
  return words.map((word) => ({ word, key: nameKey(word) }));
}

function checkWord(text: string, index: number): void {
  const name = `alert_words[${index}]`;
  if (codePointLength(text) > MAX_LENGTH) {
    throw new BadRequestError(`${name} is too long (limit: ${MAX_LENGTH} characters)`);
  }
  const position = findForbiddenCharacter(text.trim());
  if (position !== null) throw new BadRequestError(`Invalid character in ${name}, at position ${position}.`);
}
