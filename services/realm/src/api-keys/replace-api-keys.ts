import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { apiKeyRevoked } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import type { Context } from '../context';
import { removeAllPushTokens } from '../push-tokens/push-tokens.sql';
import { revokeApiKeys } from './api-keys.sql';
import { issueApiKey } from './issue-api-key';
import { issueBotKey } from './issue-bot-keys';

/**
 * Ends all keys of an account that the transaction holds, and all that its phones have registered; returns a new key. Whoever
 * found an old one has lost it.
 */
export async function replaceApiKeys(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  tx: Transaction,
  { realmId, id: userId, isBot }: Pick<User, 'realmId' | 'id' | 'isBot'>,
): Promise<string> {
  const holder = { realmId, userId, createdAtMs: clock.now() };
  const keyIds = await revokeApiKeys(tx, holder, null, holder.createdAtMs);
  await removeAllPushTokens(tx, realmId, userId);
  const apiKey = isBot ? await issueBotKey(tx, config.BOT_KEY_SECRET, holder) : await issueApiKey(tx, holder);
  await announce(tx, apiKeyRevoked(realmId, { userId, keyIds }));
  return apiKey;
}
