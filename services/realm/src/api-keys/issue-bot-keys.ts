import { randomBytes } from 'node:crypto';
import type { Transaction } from '@parley/shared/db';
import { insertApiKeys } from './api-keys.sql';
import { botKey } from './bot-key';
import { hashKey } from './hash-key';

const SALT_BYTES = 16;

export interface BotKeyHolders {
  realmId: number;
  userIds: readonly number[];
  createdAtMs: number;
}

/** Gives each of the bots one more key, which showBotKeys() can show again; returns them by bot. */
export async function issueBotKeys(
  tx: Transaction,
  secret: string,
  { realmId, userIds, createdAtMs }: BotKeyHolders,
): Promise<Map<number, string>> {
  const keys = userIds.map((userId) => {
    const salt = randomBytes(SALT_BYTES);
    const apiKey = botKey(secret, { realmId, userId }, salt);
    return { apiKey, row: { realmId, userId, keyHash: hashKey(apiKey), salt, label: '', createdAtMs } };
  });
  await insertApiKeys(
    tx,
    keys.map(({ row }) => row),
  );
  return new Map(keys.map(({ apiKey, row }) => [row.userId, apiKey]));
}

/** The same for one bot. */
export async function issueBotKey(
  tx: Transaction,
  secret: string,
  { userId, ...rest }: { realmId: number; userId: number; createdAtMs: number },
): Promise<string> {
  const keys = await issueBotKeys(tx, secret, { ...rest, userIds: [userId] });
  return keys.get(userId) as string;
}
