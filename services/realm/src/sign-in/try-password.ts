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
/** Many people may share one address, e.g. in an office. */
const MAX_OF_ADDRESS = 100;

interface PasswordTrial {
  realmId: number;
  /** A real address, in any casing; with or without an account. */
  loginName: string;
  /** The client's address; empty: unknown, or not to be counted. */
  address: string;
  password: string;
  /** The account of the login name; null: none. */
  userId: number | null;
  /** The user is signed in: failures are counted apart from those of strangers. */
  isSignedIn?: true;
  /** Null: no such account, or no password. */
  passwordHash: string | null;
  /** Asked when the password is not that of the hash; when it throws, the attempt does not count. */
  isRightElsewhere?: () => Promise<boolean>;
}

type Verdict = { isRight: boolean } | { isRight: false; retryAfterSecs: number };

/**
 * Verifies a password. After too many failures it refuses every attempt for a while, on all replicas, without comparing; unknown accounts
 * behave the same.
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
  const isRight = await isRightAnywhere(ctx, trial, attempt);
  if (isRight) {
    await forgetAttempt(ctx.db, attempt);
    if (from !== null) await rememberAddress(ctx.db, from, attempt.nowMs);
  } else await sweepAttempts(ctx.db, attempt.nowMs);
  return { isRight };
}

async function isRightAnywhere(ctx: Context, trial: PasswordTrial, attempt: Attempt): Promise<boolean> {
  const { password, passwordHash, isRightElsewhere } = trial;
  // Without a hash this takes as long, so that the time does not reveal which accounts exist.
  if (await isPassword(password, passwordHash)) return true;
  try {
    return isRightElsewhere !== undefined && (await isRightElsewhere());
  } catch (error) {
    await withdrawAttempt(ctx.db, attempt, []);
    throw error;
  }
}

/** Null: unknown. */
function addressOf({ realmId, userId, address }: PasswordTrial): SignInAddress | null {
  if (userId === null || address === '') return null;
  return { realmId, userId, addressHash: hashOf(`${realmId}/${userId} ${address}`) };
}

/**
 * Attempts from addresses where the account has signed in before are counted apart: failures elsewhere neither lock its holder out there,
 * nor gain extra attempts.
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
  const login = foldedName(loginName);
  return isFromKnown ? `${login} ${address}` : login;
}

const MAX_COUNTED_LENGTH = 500;

/**
 * The login name as it is counted. Directories find one person by many spellings: wide letters, marks, invisible characters, more spaces. Without
 * this each spelling would be guessed at anew.
 */
export function foldedName(loginName: string): string {
  const plain = loginName
    .slice(0, MAX_COUNTED_LENGTH)
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '');
  return plain.replace(/\s+/g, ' ').trim().toUpperCase();
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function secsToWait(ctx: Context, attempt: Attempt, full: readonly Buffer[]): Promise<number> {
  const { nowMs, windowMs } = attempt;
  const oldestMs = (await findOldestAttempt(ctx.db, attempt, full)) ?? nowMs - windowMs;
  return Math.max(1, Math.ceil((oldestMs + windowMs - nowMs) / 1000));
}
