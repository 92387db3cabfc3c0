import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { alertWordsChanged } from '@parley/shared/events';
import { prismaTransaction } from '@parley/shared/prisma';
import type { AddAlertWordsRequest, AlertWordSince, AlertWords, RemoveAlertWordsRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { codePointLength, findForbiddenCharacter } from '@parley/shared/values';
import { lockUser } from '../accounts/users.sql';
import { nameKey } from '../base/name-key';
import type { Context, Tables } from '../context';

/** The caller's alert words. */
export async function getAlertWords(ctx: Context, { realmId, userId }: Caller): Promise<AlertWords> {
  const alertWords = await listAlertWords(ctx.prisma, realmId, userId);
  return { words: alertWords.map(({ word }) => word) };
}

/** Adds new alert words to the caller's, ignoring case; returns all of them. */
export async function addAlertWords(ctx: Context, caller: Caller, request: AddAlertWordsRequest): Promise<AlertWords> {
  const { realmId, userId } = caller;
  const addedAt = new Date(ctx.clock.now());
  const data = wordsFromInput(request.words).map((word) => ({ realmId, userId, ...word, addedAt }));
  const all = await changeAlertWords(ctx, caller, (prisma) =>
    prisma.alertWord.createMany({ data, skipDuplicates: true }),
  );
  return { words: all };
}

/** Removes alert words from the caller's, ignoring case; returns the rest. */
export async function removeAlertWords(
  ctx: Context,
  caller: Caller,
  request: RemoveAlertWordsRequest,
): Promise<AlertWords> {
  const { realmId, userId } = caller;
  const wordKey = { in: wordsFromInput(request.words).map((word) => word.wordKey) };
  const left = await changeAlertWords(ctx, caller, (prisma) =>
    prisma.alertWord.deleteMany({ where: { realmId, userId, wordKey } }),
  );
  return { words: left };
}

/** Runs `change`, announces the caller's alert words if it changed any, and returns them. */
async function changeAlertWords(
  ctx: Context,
  { realmId, userId }: Caller,
  change: (prisma: Tables) => Promise<{ count: number }>,
): Promise<string[]> {
  return prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    await lockUser(tx, realmId, userId);
    const { count } = await change(prisma);
    const alertWords = await listAlertWords(prisma, realmId, userId);
    if (alertWords.length > MAX_ALERT_WORDS) {
      throw new BadRequestError(`You cannot have more than ${MAX_ALERT_WORDS} alert words.`);
    }
    if (count > 0) await announce(tx, alertWordsChanged(realmId, { userId, alertWords }));
    return alertWords.map(({ word }) => word);
  });
}

/** The user's words, oldest first. */
async function listAlertWords(prisma: Tables, realmId: number, userId: number): Promise<AlertWordSince[]> {
  const rows = await prisma.alertWord.findMany({
    where: { realmId, userId },
    select: { word: true, addedAt: true },
    orderBy: { position: 'asc' },
  });
  return rows.map(({ word, addedAt }) => ({ word, addedAtMs: addedAt.getTime() }));
}

const MAX_LENGTH = 100;
// SPEC-GAP: no bound is given; every message is searched for every word.
const MAX_ALERT_WORDS = 1_000;

interface AlertWord {
  word: string;
  wordKey: string;
}

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
    throw new BadRequestError(`${name} is too long (limit: ${MAX_LENGTH} characters)`);
  }
  const position = findForbiddenCharacter(text.trim());
  if (position !== null) throw new BadRequestError(`Invalid character in ${name}, at position ${position}.`);
}
