import { createHash } from 'node:crypto';
import { RateLimitHitError } from '@parley/shared/errors';
import type { Context } from '../context';
import { countAttempt } from './acceptance-attempts.sql';

/** How often one thing may be tried, and within which time. */
export interface AttemptLimit {
  maxAttempts: number;
  windowMs: number;
}

/** Refuses what is tried too often, on all replicas together. `subject` is what is tried; only its hash is stored. */
export async function limitAttempts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  realmId: number,
  subject: string,
  limit: AttemptLimit,
): Promise<void> {
  const subjectHash = createHash('sha256').update(subject).digest();
  const mayTry = await countAttempt(db, { realmId, subjectHash, nowMs: clock.now() }, limit);
  if (!mayTry) throw new RateLimitHitError(Math.ceil(limit.windowMs / 1000));
}
