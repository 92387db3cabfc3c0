import { BadRequestError } from '@parley/shared/errors';
import { codePointLength } from '@parley/shared/values';

const MAX_LENGTH = 1_024;

/** The group description that a sent text means. */
export function groupDescriptionFromInput(text: string): string {
  const description = text.trim();
  if (codePointLength(description) > MAX_LENGTH) {
    throw new BadRequestError(`description is too long (limit: ${MAX_LENGTH} characters)`);
  }
  const position = [...description].indexOf('\0');
  if (position >= 0) throw new BadRequestError(`Invalid character in description, at position ${position + 1}.`);
  return description;
}
