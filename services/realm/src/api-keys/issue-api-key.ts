import type { Transaction } from '@parley/shared/db';
import { insertApiKey } from './api-keys.sql';
import { hashKey } from './hash-key';
import { randomKey } from './random-key';

/** Gives the account one more key and returns it; this is the only moment at which it can be seen. */
export async function issueApiKey(
  tx: Transaction,
  { label = '', ...holder }: { realmId: number; userId: number; createdAtMs: number; label?: string },
): Promise<string> {
  const apiKey = randomKey();
  await insertApiKey(tx, { ...holder, keyHash: hashKey(apiKey), label });
  return apiKey;
}
