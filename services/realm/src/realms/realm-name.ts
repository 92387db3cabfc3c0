import { BadRequestError } from '@parley/shared/errors';
import { codePointLength, findForbiddenCharacter, LIMITS } from '@parley/shared/values';

/** The organization's name that a sent text means. */
export function realmNameFromInput(text: string): string {
  const name = text.trim();
  if (name === '') throw new BadRequestError('name cannot be blank');
  if (codePointLength(name) > LIMITS.realmNameLength) {
    throw new BadRequestError(`name is too long (limit: ${LIMITS.realmNameLength} characters)`);
  }
  const position = findForbiddenCharacter(name);
  if (position !== null) throw new BadRequestError(`Invalid character in name, at position ${position}.`);
  return name;
}
