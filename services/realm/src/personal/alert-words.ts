import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { alertWordsChanged } from '@parley/shared/events';
import type { AddAlertWordsRequest, AlertWords, RemoveAlertWordsRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, findForbiddenCharacter } from '@parley/shared/values';
import { lockUser } from '../accounts/users.sql';
import { nameKey } from '../base/name-key';
import type { Context } from '../context';
import { type AlertWord, deleteAlertWords, insertAlertWords, listAlertWords } from './alert-words.sql';

/** The caller's alert words. */
export async function getAlertWords(ctx: Context, { realmId, userId }: Caller): Promise<AlertWords> {
  const alertWords = await listAlertWords(ctx.db, realmId, userId);
  return { words: alertWords.map(({ word }) => word) };
}

/** Adds new alert words to the caller's, ignoring case; returns all of them. */
export async function addAlertWords(ctx: Context, caller: Caller, request: AddAlertWordsRequest): Promise<AlertWords> {
  const { realmId, userId } = caller;
  const added = { realmId, userId, words: wordsFromInput(request.words), addedAtMs: ctx.clock.now() };
  return { words: await changeAlertWords(ctx, caller, (tx) => insertAlertWords(tx, added)) };
}

/** Removes alert words from the caller's, ignoring case; returns the rest. */
export async function removeAlertWords(
  ctx: Context,
  caller: Caller,
  request: RemoveAlertWordsRequest,
): Promise<AlertWords> {
  const { realmId, userId } = caller;
  const removed = { realmId, userId, words: wordsFromInput(request.words) };
  return { words: await changeAlertWords(ctx, caller, (tx) => deleteAlertWords(tx, removed)) };
}

/** Runs `change`, announces the caller's alert words if it changed any, and returns them. */
async function changeAlertWords(
  { db }: Context,
  { realmId, userId }: Caller,
  change: (tx: Transaction) => Promise<number>,
): Promise<string[]> {
  return db.transaction(async (tx) => {
    await lockUser(tx, realmId, userId);
    const changed = await change(tx);
    const alertWords = await listAlertWords(tx, realmId, userId);
    if (alertWords.length > MAX_ALERT_WORDS) {
      throw new BadRequestError(REFUSAL.people.tooManyWords(String(MAX_ALERT_WORDS)));
    }
    if (changed > 0) await announce(tx, alertWordsChanged(realmId, { userId, alertWords }));
    return alertWords.map(({ word }) => word);
  });
}

const MAX_LENGTH = 100;
// SPEC-GAP: no bound is given; every message is searched for every word.
const MAX_ALERT_WORDS = 1_000;

/** The normalized words: trimmed, without blank ones. */
function wordsFromInput(texts: readonly string[]): AlertWord[] {
  if (texts.length > MAX_ALERT_WORDS) {
    throw new BadRequestError(`alert_words is too long (limit: ${MAX_ALERT_WORDS} items)`);
  }
  texts.forEach(checkWord);
  const words = texts.map((text) => text.trim()).filter((word) => word !== '');
  return words.map((word) => ({ word, wordKey: nameKey(word) }));
}

function checkWord(text: string, index: number): void {
  const name = `alert_words[${index}]`;
  if (codePointLength(text) > MAX_LENGTH) {
    throw new BadRequestError(REFUSAL.requests.tooLong(name, String(MAX_LENGTH)));
  }
  const position = findForbiddenCharacter(text.trim());
  if (position !== null) throw new BadRequestError(`Invalid character in ${name}, at position ${position}.`);
}
