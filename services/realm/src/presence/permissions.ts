import { BadRequestError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';

/** Throws for accounts without presence. */
export function requirePresent({ isActive, isBot }: Pick<User, 'isActive' | 'isBot'>): void {
  if (!isActive) throw new BadRequestError('No such user');
  if (isBot) throw new BadRequestError('Presence is not supported for bot users.');
}
