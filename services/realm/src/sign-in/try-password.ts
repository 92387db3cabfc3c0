import { createHash } from 'node:crypto';
import type { Context } from '../context';
import { isPassword } from '../users/password';
import {
  type AttemptLimit,
  countAttempt,
  findOldestAttempt,
  forgetAttempts,
  type Login,
  sweepAttempts,
} from './sign-in-attempts.sql';

const LIMIT: AttemptLimit = { maxAttempts: 5, windowMs: 30 * 60_000 };

export interface PasswordTrial {
  realmId: number;
  /** The real address, in any casing; of an account or not. */
  loginName: string;
  password: string;
  /** Null: nobody has that login name, or they have no password. */
  passwordHash: string | null;
}

export type Verdict = { isRight: boolean } | { isRight: false; retryAfterSecs: number };

/**
 * Is it the password? Whoever has failed too often is not even looked at for a while, on any replica, and existing accounts are
 * treated as those that do not exist.
 */
export async function tryPassword(ctx: Context, trial: PasswordTrial): Promise<Verdict> {
  const login = loginOf(trial);
  const nowMs = ctx.clock.now();
  if (!(await countAttempt(ctx.db, login, LIMIT, nowMs))) {
    return { isRight: false, retryAfterSecs: await secsToWait(ctx, login, nowMs) };
  }
  const isRight = await isPassword(trial.password, trial.passwordHash);
  if (isRight) await forgetAttempts(ctx.db, login);
  else await sweepAttempts(ctx.db, nowMs);
  return { isRight };
}

function loginOf({ realmId, loginName }: PasswordTrial): Login {
  return { realmId, loginHash: createHash('sha256').update(loginName.trim().toLowerCase()).digest() };
}

async function secsToWait(ctx: Context, login: Login, nowMs: number): Promise<number> {
  const oldestMs = (await findOldestAttempt(ctx.db, login, nowMs - LIMIT.windowMs)) ?? nowMs - LIMIT.windowMs;
  return Math.max(1, Math.ceil((oldestMs + LIMIT.windowMs - nowMs) / 1000));
}
