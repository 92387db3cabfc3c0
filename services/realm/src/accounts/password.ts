import { BadRequestError } from '@parley/shared/errors';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, PASSWORD_LIMITS } from '@parley/shared/values';
import { estimateGuesses } from './password-guesses';

const { minLength, maxLength, minGuesses } = PASSWORD_LIMITS;
/** The estimate takes longer with every character, a second for a hundred hostile ones; a strong beginning is enough. */
const JUDGED_LENGTH = 32;

/** Refuses passwords that are too short or too easily guessed, or too long to be hashed in good time. */
export async function checkPassword(password: string, weakText = REFUSAL.accounts.weakPassword): Promise<void> {
  const length = codePointLength(password);
  if (length > maxLength) throw new BadRequestError(REFUSAL.accounts.longPassword(String(maxLength)));
  if (length < minLength) throw new BadRequestError(weakText);
  if ((await estimateGuesses(password.slice(0, JUDGED_LENGTH))) < minGuesses) throw new BadRequestError(weakText);
}

/** Loaded with the first password: it takes memory that a pod without sign-ins does not need. */
function loadArgon2() {
  return import('@node-rs/argon2');
}

/** The argon2id hash to store, salt and parameters included. */
export async function hashPassword(password: string): Promise<string> {
  return (await loadArgon2()).hash(password);
}

/** Compares a password with a hash. A null hash (unknown account, or no password) takes as long as a wrong password. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  if (codePointLength(password) > maxLength) return false;
  const argon2 = await loadArgon2();
  if (passwordHash !== null) return argon2.verify(passwordHash, password);
  // NOTE: hashing costs as much as comparing, so that the time does not reveal which accounts exist.
  await argon2.hash(password);
  return false;
}
