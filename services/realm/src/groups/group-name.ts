import { BadRequestError } from '@parley/shared/errors';
import { codePointLength, findForbiddenCharacter, LIMITS } from '@parley/shared/values';

/** What begins like this is taken for something else in mentions and settings. */
const RESERVED_PREFIXES = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/** The group name that a sent text means. */
export function groupNameFromInput(text: string): string {
  const name = text.trim();
  if (name === '') throw new BadRequestError("User group name can't be empty!");
  if (codePointLength(name) > LIMITS.groupNameLength) {
    throw new BadRequestError(`User group name cannot exceed ${LIMITS.groupNameLength} characters.`);
  }
  const prefix = RESERVED_PREFIXES.find((reserved) => name.startsWith(reserved));
  if (prefix !== undefined) throw new BadRequestError(`User group name cannot start with '${prefix}'.`);
  const position = findForbiddenCharacter(name);
  if (position !== null) throw new BadRequestError(`Invalid character in user group name, at position ${position}.`);
  return name;
}
