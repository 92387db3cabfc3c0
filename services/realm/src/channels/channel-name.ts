import { BadRequestError } from '@parley/shared/errors';
import { codePointLength, findForbiddenCharacter, LIMITS } from '@parley/shared/values';

/** The channel name that a sent text means. */
export function channelNameFromInput(text: string): string {
  const name = text.trim();
  if (name === '') throw new BadRequestError("Channel name can't be empty.");
  if (codePointLength(name) > LIMITS.channelNameLength) {
    throw new BadRequestError(`Channel name too long (limit: ${LIMITS.channelNameLength} characters).`);
  }
  const position = findForbiddenCharacter(name);
  if (position !== null) throw new BadRequestError(`Invalid character in channel name, at position ${position}.`);
  return name;
}
