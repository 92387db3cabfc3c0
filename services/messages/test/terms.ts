import type { NarrowTerm } from '@parley/shared/proto';

/** A term that is not negated. */
export function term(operator: string, operand: Partial<NarrowTerm>): NarrowTerm {
  return { operator, isNegated: false, ids: [], isList: operand.ids !== undefined, ...operand };
}
