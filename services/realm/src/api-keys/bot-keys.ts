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

/** Gives each of the bots one more key, which showBotKeys() can show again; returns them by bot. */
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

/** So many that hardly ever fewer than a key's length are fair. */
const BYTES = 128;
/** Bytes from there on would make the first letters more likely than the others. */
const UNFAIR_FROM = 256 - (256 % KEY_ALPHABET.length);

/**
 * The API key that belongs to a salt: whoever manages a bot may see its key at any time, and yet only its hash is stored. Neither
 * the salt nor the service's secret tells anything of it without the other.
 */
export function botKey(secret: string, { realmId, userId }: { realmId: number; userId: number }, salt: Buffer): string {
  const bytes = new Uint8Array(hkdfSync('sha256', secret, salt, `bot key ${realmId} ${userId}`, BYTES));
  return Array.from(bytes.filter((byte) => byte < UNFAIR_FROM))
    .slice(0, KEY_LENGTH)
    .map((byte) => KEY_ALPHABET[byte % KEY_ALPHABET.length])
    .join('');
}
