import type { NarrowTerm } from '@parley/shared/proto';

/** Looking for words reads more than anything else that a narrow may say. */
export function searchLimit({ narrow }: { narrow: readonly NarrowTerm[] }): 'searches' | undefined {
  return narrow.some(({ operator }) => operator === 'search') ? 'searches' : undefined;
}
