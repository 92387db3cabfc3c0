import { BadRequestError } from '@parley/shared/errors';
import { codePointLength, findForbiddenCharacter, LIMITS } from '@parley/shared/values';

const MIN_LENGTH = 2;
/** They would end, or be taken for, a mention. */
const FORBIDDEN = /[*`\\>"@]/;
/** `Name|5` is how a mention tells namesakes apart. */
const ID_AT_END = /\|\d+$/;

/** The full name that a sent text means. */
export function fullNameFromInput(text: string): string {
  const name = text.trim();
  const length = codePointLength(name);
  if (length < MIN_LENGTH) throw new BadRequestError('Name too short!');
  if (length > LIMITS.fullNameLength) throw new BadRequestError('Name too long!');
  if (FORBIDDEN.test(name) || findForbiddenCharacter(name) !== null) {
    throw new BadRequestError('Invalid characters in name!');
  }
  if (ID_AT_END.test(name)) throw new BadRequestError('Invalid format!');
  return name;
}
