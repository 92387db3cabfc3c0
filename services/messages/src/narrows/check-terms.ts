import { BadNarrowError, BadRequestError, DuplicateWithError } from '@parley/shared/errors';
import type { NarrowTerm } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength } from '@parley/shared/values';
import type { TextSearch } from './narrow';

const CHANNEL_OPERATORS = new Set(['channel', 'channels', 'topic']);
const DIRECT_OPERATORS = new Set(['dm', 'dm-including', 'group-pm-with']);
const OTHER_OPERATORS = ['sender', 'id', 'with', 'near', 'search', 'has', 'is', 'in', 'mentions'];
const OPERATORS = new Set([...CHANNEL_OPERATORS, ...DIRECT_OPERATORS, ...OTHER_OPERATORS]);

const OPERANDS: Record<string, ReadonlySet<string>> = {
  is: new Set(['dm', 'starred', 'unread', 'mentioned', 'alerted', 'resolved', 'followed', 'muted']),
  has: new Set(['attachment', 'image', 'link', 'reaction']),
  in: new Set(['home', 'all']),
  channels: new Set(['public', 'web-public', 'archived']),
};

/** SPEC-GAP: no limit is documented; each term costs a lookup. */
const MAX_TERMS = 50;
/**
 * SPEC-GAP: for all search terms together, in code points; the database compares each word and each phrase with every message it
 * finds.
 */
const MAX_SEARCH_LENGTH = 1_000;
const MAX_SEARCH_PHRASES = 20;
const MAX_MESSAGE_ID = 2_147_483_647;

/** Throws if the terms are invalid, whatever they name. */
export function checkTerms(terms: readonly NarrowTerm[]): void {
  if (terms.length > MAX_TERMS) throw new BadRequestError(`Too many narrow terms (maximum ${MAX_TERMS}).`);
  if (terms.filter(({ operator }) => operator === 'with').length > 1) throw new DuplicateWithError();
  checkSearch(terms);
  terms.forEach((term, index) => {
    checkTerm(term);
    const upToHere = terms.slice(0, index + 1);
    if (upToHere.some(isOfChannels) && upToHere.some(isOfDirects)) {
      throw new BadNarrowError('No message can be both a channel message and direct message');
    }
  });
}

function checkSearch(terms: readonly NarrowTerm[]): void {
  const search = searchIn(terms);
  if (search === null) return;
  if (codePointLength(search.words) > MAX_SEARCH_LENGTH) {
    throw new BadRequestError(REFUSAL.messages.searchTooLong(String(MAX_SEARCH_LENGTH)));
  }
  if (search.phrases.length > MAX_SEARCH_PHRASES) {
    throw new BadRequestError(`The search has too many phrases (limit: ${MAX_SEARCH_PHRASES})`);
  }
}

/** All search terms are one, in which negation has no meaning. */
export function searchIn(terms: readonly NarrowTerm[]): TextSearch | null {
  const texts = terms.filter(({ operator }) => operator === 'search').map(({ text = '' }) => text.replaceAll('\0', ''));
  if (texts.length === 0) return null;
  const words = texts.join(' ');
  const phrases = [...words.matchAll(/"([^"]+)"/g)].map(([, phrase]) => (phrase as string).trim());
  return { words, phrases: [...new Set(phrases)].filter((phrase) => phrase !== '') };
}

function checkTerm({ operator, text, ...term }: NarrowTerm): void {
  if (!OPERATORS.has(operator)) throw new BadNarrowError(`unknown operator ${operator}`);
  if (operator === 'id' && messageIdOf({ text, ...term }) === null) throw new BadNarrowError('Invalid message ID');
  if (operator === 'with' && messageIdOf({ text, ...term }) === null) {
    throw new BadNarrowError("Invalid 'with' operator");
  }
  if (OPERANDS[operator]?.has(text ?? '') === false) throw new BadNarrowError(unknownOperand(operator, text));
}

function unknownOperand(operator: string, text: string | undefined): string {
  return operator === 'channels' ? `unknown channels operand ${text}` : `unknown '${operator}' operand ${text}`;
}

/** The message named by an operand; null if it cannot name one. */
export function messageIdOf({ id, text = '' }: { id?: number; text?: string | undefined }): number | null {
  const named = id ?? (/^\d{1,10}$/.test(text) ? Number(text) : -1);
  return named >= 0 && named <= MAX_MESSAGE_ID ? named : null;
}

function isOfChannels({ operator }: NarrowTerm): boolean {
  return CHANNEL_OPERATORS.has(operator);
}

function isOfDirects({ operator, text }: NarrowTerm): boolean {
  return DIRECT_OPERATORS.has(operator) || (operator === 'is' && text === 'dm');
}
