import type { Sql, Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { Caller } from '@parley/shared/rpc';
import { codePointLength } from '@parley/shared/values';
import type { Context } from '../context';
import { type FirstAnswer, findAnswer, type KeyedRequest, storeAnswer } from './request-keys.sql';

/** For so long a repeated request gets the first answer again. */
export const ANSWERS_KEPT_MS = 24 * 60 * 60_000;
const MAX_KEY_LENGTH = 200;

/** Null: the client named nothing to recognize the request by. */
export function keyedRequest(
  { realmId, userId }: Caller,
  kind: KeyedRequest['kind'],
  key: string | undefined,
): KeyedRequest | null {
  if (key === undefined) return null;
  if (codePointLength(key) > MAX_KEY_LENGTH || key.includes('\0')) throw new BadRequestError('Invalid Idempotency-Key');
  return { realmId, userId, kind, key };
}

/** What became of the same request before; null: it is the first. Sure only while its sender is held (holdInviter). */
export async function findFirstAnswer(
  { clock }: Pick<Context, 'clock'>,
  sql: Sql,
  request: KeyedRequest | null,
): Promise<FirstAnswer | null> {
  return request && findAnswer(sql, request, clock.now() - ANSWERS_KEPT_MS);
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
