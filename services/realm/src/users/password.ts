import { hash } from '@node-rs/argon2';
import { BadRequestError } from '@parley/shared/errors';
import { codePointLength } from '@parley/shared/values';

const MIN_LENGTH = 6;
const MAX_LENGTH = 100;

/** Refuses passwords that are too weak, or too long to be hashed in good time. */
export function checkPassword(password: string): void {
  const length = codePointLength(password);
  if (length < MIN_LENGTH) throw new BadRequestError('The password is too weak.');
  if (length > MAX_LENGTH) throw new BadRequestError(`password is too long (limit: ${MAX_LENGTH} characters)`);
}

/** The argon2id hash to store, salt and parameters included. */
export function hashPassword(password: string): Promise<string> {
  return hash(password);
}
