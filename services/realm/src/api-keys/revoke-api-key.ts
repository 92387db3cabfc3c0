import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { apiKeyRevoked } from '@parley/shared/events';
import type { RevokeApiKeyRequest, RevokeApiKeyResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { possibleIds } from '../possible-values';
import { revokeApiKeys } from './api-keys.sql';

/** Ends one of the caller's keys, perhaps the one they call with. */
export async function revokeApiKey(
  ctx: Context,
  { realmId, userId }: Caller,
  { keyId }: RevokeApiKeyRequest,
): Promise<RevokeApiKeyResponse> {
  const revokedAtMs = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const keyIds = await revokeApiKeys(tx, { realmId, userId }, possibleIds([keyId]), revokedAtMs);
    if (keyIds.length === 0) throw new BadRequestError('No such API key');
    await announce(tx, apiKeyRevoked(realmId, { userId, keyIds }));
  });
  return {};
}
