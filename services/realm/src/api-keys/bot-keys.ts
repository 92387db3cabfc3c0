import { hkdfSync, randomBytes } from 'node:crypto';
import type { Sql, Transaction } from '@parley/shared/db';
import { hashKey, KEY_ALPHABET, KEY_LENGTH } from '../base/random-key';
import type { Context } from '../context';
import { insertApiKeys, listSaltedKeys } from './api-keys.sql';

const SALT_BYTES = 16;

interface BotKeyHolders {
  realmId: number;
  userIds: readonly number[];
  createdAtMs: number;
}

/** Issues one more key to each of the bots, which showBotKeys() can show again; returns them by bot. */
async function issueBotKeys(
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

/**
 * A key of each of the active bots: the newest that can be derived or, without one (issued by the operator or the bot itself, or with
 * another secret), a new one.
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

/** The newest key that can be derived, for each bot that has any. */
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

/** Enough bytes that rejection sampling hardly ever runs short of a key's length. */
const BYTES = 128;
/** Rejected: larger bytes would make the first letters more likely. */
const UNFAIR_FROM = 256 - (256 % KEY_ALPHABET.length);

/**
 * Derives a bot's API key from its salt and the service's secret, so that its manager can see the key at any time although only the hash
 * is stored. Salt and secret are useless without each other.
 */
export function botKey(secret: string, { realmId, userId }: { realmId: number; userId: number }, salt: Buffer): string {
  const bytes = new Uint8Array(hkdfSync('sha256', secret, salt, `bot key ${realmId} ${userId}`, BYTES));
  return Array.from(bytes.filter((byte) => byte < UNFAIR_FROM))
    .slice(0, KEY_LENGTH)
    .map((byte) => KEY_ALPHABET[byte % KEY_ALPHABET.length])
    .join('');
}
