import { BadRequestError } from '@parley/shared/errors';

const UNLIMITED = -1;
/** A hundred years. */
const MAX_DAYS = 36_500;

/** The retention that a sent text means, in days: null as the organization, -1 for ever. Quotes around a word are ignored. */
export function messageRetentionFromInput(text: string): number | null {
  if (isInheritedRetention(text)) return null;
  const word = unquoted(text);
  if (word === 'unlimited') return UNLIMITED;
  const days = /^\d{1,6}$/.test(word) ? Number(word) : 0;
  if (days < 1 || days > MAX_DAYS) throw new BadRequestError(`Bad value for 'message_retention_days': ${word}`);
  return days;
}

/** Whether the text asks for nothing but what the organization has. */
export function isInheritedRetention(text: string): boolean {
  return unquoted(text) === 'realm_default';
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, '$1');
}
