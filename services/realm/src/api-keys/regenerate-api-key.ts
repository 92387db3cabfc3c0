import { announce } from '@parley/shared/bus';
import { apiKeyRevoked } from '@parley/shared/events';
import type { RegenerateApiKeyResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { lockUser } from '../users/users.sql';
import { revokeApiKeys } from './api-keys.sql';
import { issueApiKey } from './issue-api-key';

/** Ends all of the caller's keys at once and answers a new one: whoever found an old key has lost it. */
export async function regenerateApiKey(ctx: Context, { realmId, userId }: Caller): Promise<RegenerateApiKeyResponse> {
  const nowMs = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    // NOTE: of two calls at once the second one ends the first one's key.
    await lockUser(tx, realmId, userId);
    const keyIds = await revokeApiKeys(tx, { realmId, userId }, null, nowMs);
    const apiKey = await issueApiKey(tx, { realmId, userId, createdAtMs: nowMs });
    await announce(tx, apiKeyRevoked(realmId, { userId, keyIds }));
    return { apiKey };
  });
}
