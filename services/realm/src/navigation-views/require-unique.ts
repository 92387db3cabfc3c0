import { BadRequestError } from '@parley/shared/errors';
import type { NavigationView } from '@parley/shared/proto';

/** Refuses a view whose fragment or name one of the others has. */
export function requireUnique({ fragment, name }: NavigationView, others: readonly NavigationView[]): void {
  const isTaken = others.some((other) => other.fragment === fragment || (name !== undefined && other.name === name));
  if (isTaken) throw new BadRequestError('Navigation view already exists.');
}
