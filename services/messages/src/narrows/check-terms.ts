import { BadNarrowError, BadRequestError } from '@parley/shared/errors';
import type { NarrowTerm } from '@parley/shared/proto';

const CHANNEL_OPERATORS = ['channel', 'topic'];
const DIRECT_OPERATORS = ['dm'];
const OPERATORS = new Set([...CHANNEL_OPERATORS, ...DIRECT_OPERATORS]);

/** SPEC-GAP: no bound is documented; each term costs a look-up. */
const MAX_TERMS = 50;

/** Throws when the terms make no narrow, whatever they name. */
export function checkTerms(terms: readonly NarrowTerm[]): void {
  if (terms.length > MAX_TERMS) throw new BadRequestError(`Too many narrow terms (maximum ${MAX_TERMS}).`);
  const unknown = terms.find(({ operator }) => !OPERATORS.has(operator));
  if (unknown) throw new BadNarrowError(`unknown operator ${unknown.operator}`);
  const has = (operators: string[]) => terms.some(({ operator }) => operators.includes(operator));
  if (has(CHANNEL_OPERATORS) && has(DIRECT_OPERATORS)) {
    throw new BadNarrowError('No message can be both a channel message and direct message');
  }
}
