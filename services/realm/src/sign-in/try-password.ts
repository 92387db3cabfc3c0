import { createHash } from 'node:crypto';
import { isPassword } from '../accounts/password';
import type { Context } from '../context';
import {
  type Attempt,
  countAttempt,
  findOldestAttempt,
  forgetAttempt,
  isKnownAddress,
  rememberAddress,
  type SignInAddress,
  sweepAttempts,
  withdrawAttempt,
} from './sign-in.sql';

const WINDOW_MS = 30 * 60_000;
/** Failures within that time. */
const MAX_OF_LOGIN_NAME = 5;
/** Behind one address there may be an office with many people. */
const MAX_OF_ADDRESS = 100;

interface PasswordTrial {
  realmId: number;
  /** The real address, in any casing; of an account or not. */
  loginName: string;
  /** From where it is tried; empty: unknown, or not to be counted. */
  address: string;
  password: string;
  /** Whose login name it is; null: nobody's. */
  userId: number | null;
  /** Who is signed in as that account already proves who they are: strangers' failures are not theirs, nor theirs strangers'. */
  isSignedIn?: true;
  /** Null: nobody has that login name, or they have no password. */
  passwordHash: string | null;
}

type Verdict = { isRight: boolean } | { isRight: false; retryAfterSecs: number };

/**
 * Is it the password? Whoever has failed too often is not even looked at for a while, on any replica, and existing accounts are
 * treated as those that do not exist.
 */
export async function tryPassword(ctx: Context, trial: PasswordTrial): Promise<Verdict> {
  const from = addressOf(trial);
  const isFromKnown = from !== null && (await isKnownAddress(ctx.db, from));
  const attempt = attemptOf(trial, isFromKnown, ctx.clock.now());
  const full = await countAttempt(ctx.db, attempt);
  if (full.length > 0) {
    await withdrawAttempt(ctx.db, attempt, full);
    await sweepAttempts(ctx.db, attempt.nowMs);
    return { isRight: false, retryAfterSecs: await secsToWait(ctx, attempt, full) };
  }
  const isRight = await isPassword(trial.password, trial.passwordHash);
  if (isRight) {
    await forgetAttempt(ctx.db, attempt);
    if (from !== null) await rememberAddress(ctx.db, from, attempt.nowMs);
  } else await sweepAttempts(ctx.db, attempt.nowMs);
  return { isRight };
}

/** Null: it cannot be known. */
function addressOf({ realmId, userId, address }: PasswordTrial): SignInAddress | null {
  if (userId === null || address === '') return null;
  return { realmId, userId, addressHash: hashOf(`${realmId}/${userId} ${address}`) };
}

/**
 * Where the account has signed in before, attempts are counted apart: whoever fails elsewhere does not keep its holder from signing in
 * there, and has no more attempts for it.
 */
function attemptOf(trial: PasswordTrial, isFromKnown: boolean, nowMs: number): Attempt {
  const { realmId, address } = trial;
  const name = { hash: hashOf(nameOf(trial, isFromKnown)), max: MAX_OF_LOGIN_NAME };
  // No login name begins with a space.
  const place = address === '' ? null : { hash: hashOf(` ${address}`), max: MAX_OF_ADDRESS };
  return { realmId, name, address: place, nowMs, windowMs: WINDOW_MS };
}

function nameOf({ loginName, address, userId, isSignedIn }: PasswordTrial, isFromKnown: boolean): string {
  // Neither login names nor addresses begin with two spaces.
  if (isSignedIn) return `  ${userId}`;
  const login = loginName.trim().toLowerCase();
  return isFromKnown ? `${login} ${address}` : login;
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function secsToWait(ctx: Context, attempt: Attempt, full: readonly Buffer[]): Promise<number> {
  const { nowMs, windowMs } = attempt;
  const oldestMs = (await findOldestAttempt(ctx.db, attempt, full)) ?? nowMs - windowMs;
  return Math.max(1, Math.ceil((oldestMs + windowMs - nowMs) / 1000));
}
