import { BadRequestError } from '@parley/shared/errors';
import { codePointLength, findForbiddenCharacter, LIMITS } from '@parley/shared/values';

const LINE_BREAKS = /[\n\r\t]+/g;

/** The description that a sent text means: one line. */
export function channelDescriptionFromInput(text: string): string {
  const description = text.replace(LINE_BREAKS, ' ').trim();
  if (codePointLength(description) > LIMITS.channelDescriptionLength) {
    throw new BadRequestError(`description is too long (limit: ${LIMITS.channelDescriptionLength} characters)`);
  }
  const position = findForbiddenCharacter(description);
  if (position !== null) throw new BadRequestError(`Invalid character in description, at position ${position}.`);
  return description;
}
