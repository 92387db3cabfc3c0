import type { Database, Sql, Transaction } from '../db';
import { BadRequestError, IdempotencyKeyReusedError } from '../errors';
import type { Caller } from '../rpc';
import { type Clock, codePointLength, LIMITS, requestDigest } from '../values';
import { deleteAnswers, findAnswer, type KeyedRequest, storeAnswer } from './request-keys.sql';

/** How long a repeated request gets the first answer again. */
const KEPT_MS = 24 * 60 * 60_000;

interface Needed {
  db: Database;
  clock: Clock;
}

/** `meaning` is the whole request, in a fixed order. Null: the client sent no key. */
export function keyedRequest(
  { realmId, userId }: Caller,
  kind: string,
  key: string | undefined,
  meaning: readonly unknown[],
): KeyedRequest | null {
  if (!key) return null;
  const isTooLong = codePointLength(key) > LIMITS.requestKeyLength;
  if (isTooLong || key.includes('\0')) throw new BadRequestError('Invalid Idempotency-Key');
  return { realmId, userId, kind, key, digest: requestDigest(meaning) };
}

/**
 * The stored answer to the same request; null: it is the first. Called before anything is checked: a repeated request succeeds even if it
 * would no longer be allowed. Throws IdempotencyKeyReusedError when the key belongs to another request.
 */
export async function findFirstAnswer<Answer>(
  { clock }: Pick<Needed, 'clock'>,
  sql: Sql,
  request: KeyedRequest | null,
): Promise<Answer | null> {
  if (request === null) return null;
  const first = await findAnswer(sql, request, clock.now() - KEPT_MS);
  if (first?.digest && first.digest !== request.digest) throw new IdempotencyKeyReusedError();
  return (first?.answer ?? null) as Answer | null;
}

/** Runs in the request's transaction, under the lock of the sender that was taken before findFirstAnswer(). */
export async function storeFirstAnswer(
  { clock }: Pick<Needed, 'clock'>,
  tx: Transaction,
  request: KeyedRequest | null,
  answer: object,
): Promise<void> {
  if (request === null) return;
  const nowMs = clock.now();
  if (!(await storeAnswer(tx, request, answer, { nowMs, sinceMs: nowMs - KEPT_MS }))) throw new AnsweredMeanwhile();
}

/** The same request was answered concurrently. */
class AnsweredMeanwhile extends Error {}

/**
 * Runs the request's work in a transaction, and stores its answer. Of concurrent requests with the same key all but one wait,
 * roll back, and get the first answer. Throws IdempotencyKeyReusedError.
 */
export async function storeOnce<Answer extends object>(
  ctx: Needed,
  request: KeyedRequest | null,
  store: (tx: Transaction) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const answer = await store(tx);
      await storeFirstAnswer(ctx, tx, request, answer);
      return answer;
    });
  } catch (error) {
    if (!(error instanceof AnsweredMeanwhile)) throw error;
  }
  // It has just expired.
  return (await findFirstAnswer<Answer>(ctx, ctx.db, request)) ?? storeOnce(ctx, request, store);
}

/** Deletes at most `limit` expired answers; returns how many. */
export function deleteOldAnswers({ db, clock }: Needed, limit: number): Promise<number> {
  return deleteAnswers(db, clock.now() - KEPT_MS, limit);
}
