import type { Sql, Transaction } from '@parley/shared/db';
import { BadRequestError, IdempotencyKeyReusedError } from '@parley/shared/errors';
import type { InvitationTerms } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { codePointLength, requestDigest } from '@parley/shared/values';
import type { Context } from '../context';
import { type FirstAnswer, findAnswer, type KeyedRequest, storeAnswer } from './request-keys.sql';

/** For so long a repeated request gets the first answer again. */
export const ANSWERS_KEPT_MS = 24 * 60 * 60_000;
const MAX_KEY_LENGTH = 200;

/** `meaning` is all that is asked for, in a fixed order. Null: the client named nothing to recognize the request by. */
export function keyedRequest(
  { realmId, userId }: Caller,
  kind: KeyedRequest['kind'],
  key: string | undefined,
  meaning: readonly unknown[],
): KeyedRequest | null {
  if (key === undefined) return null;
  if (codePointLength(key) > MAX_KEY_LENGTH || key.includes('\0')) throw new BadRequestError('Invalid Idempotency-Key');
  return { realmId, userId, kind, key, digest: requestDigest(meaning) };
}

/**
 * What became of the same request before; null: it is the first. Sure only while its sender is held (holdInviter). Throws
 * IdempotencyKeyReusedError when the key is that of another request.
 */
export async function findFirstAnswer(
  { clock }: Pick<Context, 'clock'>,
  sql: Sql,
  request: KeyedRequest | null,
): Promise<FirstAnswer | null> {
  if (request === null) return null;
  const first = await findAnswer(sql, request, clock.now() - ANSWERS_KEPT_MS);
  if (first?.digest && first.digest !== request.digest) throw new IdempotencyKeyReusedError();
  return first;
}

/** In the transaction of what the request does. */
export async function keepFirstAnswer(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  request: KeyedRequest | null,
  answer: Partial<FirstAnswer>,
): Promise<void> {
  if (request) await storeAnswer(tx, request, { linkId: null, skipped: [], ...answer }, clock.now());
}

/** The terms of an invitation or link, for keyedRequest(). */
export function meaningOf(terms: InvitationTerms): unknown[] {
  const { invitedAs, channelIds, groupIds, includesDefaultChannels, validMinutes, isValidForEver, welcomeText } = terms;
  return [invitedAs, channelIds, groupIds, includesDefaultChannels, validMinutes, isValidForEver, welcomeText];
}
