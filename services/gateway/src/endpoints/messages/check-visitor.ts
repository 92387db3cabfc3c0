import { UnauthorizedError } from '@parley/shared/errors';
import type { NarrowTerm } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { VISITOR_ID } from '@parley/shared/values';

const OPERATORS = new Set(['channel', 'channels', 'topic', 'sender', 'has', 'search', 'near', 'id', 'with']);

/** Throws when somebody who is not signed in asks for more than web-public channels, and what has nothing to do with themselves. */
export function checkVisitor({ userId }: Caller, narrow: readonly NarrowTerm[]): void {
  if (userId !== VISITOR_ID) return;
  const isWebPublic = narrow.some(
    ({ operator, text, isNegated }) => operator === 'channels' && text === 'web-public' && !isNegated,
  );
  if (isWebPublic && narrow.every(({ operator }) => OPERATORS.has(operator))) return;
  throw new UnauthorizedError('Not logged in: API authentication or user session required');
}
