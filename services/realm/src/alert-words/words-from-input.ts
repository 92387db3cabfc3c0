import { BadRequestError } from '@parley/shared/errors';
import { codePointLength, findForbiddenCharacter } from '@parley/shared/values';
import { nameKey } from '../name-key';

const MAX_LENGTH = 100;
// SPEC-GAP: no bound is given; every message is looked at for every word.
export const MAX_ALERT_WORDS = 1_000;

export interface AlertWord {
  word: string;
  key: string;
}

/** The words that a list means: trimmed, blank ones left out. */
export function wordsFromInput(texts: readonly string[]): AlertWord[] {
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
