import { BadRequestError } from '@parley/shared/errors';
import { codePointLength, findForbiddenCharacter, LIMITS } from '@parley/shared/values';

/** The organization's description that a sent text means; it may have several lines. */
export function realmDescriptionFromInput(text: string): string {
  const description = text.trim();
  if (codePointLength(description) > LIMITS.realmDescriptionLength) {
    throw new BadRequestError(`description is too long (limit: ${LIMITS.realmDescriptionLength} characters)`);
  }
  const position = findForbiddenCharacter(description.replace(/[\n\r\t]/g, ' '));
  if (position !== null) throw new BadRequestError(`Invalid character in description, at position ${position}.`);
  return description;
}
