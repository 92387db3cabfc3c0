import { BadRequestError } from '@parley/shared/errors';
import { isEmailAddress } from '@parley/shared/values';

/** The address that a sent text means; its casing is kept. */
export function emailFromInput(text: string): string {
  const email = text.trim();
  if (!isEmailAddress(email)) throw new BadRequestError('Enter a valid email address.');
  return email;
}
