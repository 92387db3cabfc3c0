import type { Sql, Transaction } from '@parley/shared/db';
import type { Context } from '../context';
import { listSaltedKeys } from './api-keys.sql';
import { botKey } from './bot-key';
import { hashKey } from './hash-key';
import { issueBotKeys } from './issue-bot-keys';

/**
 * A key of each of the bots, which are active: the newest that can be made again or, where there is none (it was made by the
 * operator's command, by the bot itself, or with another secret), a new one.
 */
export async function showBotKeys(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  tx: Transaction,
  realmId: number,
  userIds: readonly number[],
): Promise<Map<number, string>> {
  const shown = await findBotKeys({ config }, tx, realmId, userIds);
  const others = userIds.filter((userId) => !shown.has(userId));
  if (others.length === 0) return shown;
  const holders = { realmId, userIds: others, createdAtMs: clock.now() };
  return new Map([...shown, ...(await issueBotKeys(tx, config.BOT_KEY_SECRET, holders))]);
}

/** Of the bots that have any, the newest key that can be made again. */
export async function findBotKeys(
  { config }: Pick<Context, 'config'>,
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const { userId, keyHash, salt } of await listSaltedKeys(sql, realmId, userIds)) {
    const apiKey = botKey(config.BOT_KEY_SECRET, { realmId, userId }, salt);
    if (!found.has(userId) && hashKey(apiKey).equals(keyHash)) found.set(userId, apiKey);
  }
  return found;
}
