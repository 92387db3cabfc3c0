import { UserDeactivatedError } from '@parley/shared/errors';
import type { RegenerateApiKeyResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findUser, lockUser } from '../users/users.sql';
import { replaceApiKeys } from './replace-api-keys';

/** Ends all of the caller's keys at once and answers a new one. */
export async function regenerateApiKey(ctx: Context, { realmId, userId }: Caller): Promise<RegenerateApiKeyResponse> {
  return ctx.db.transaction(async (tx) => {
    // NOTE: of two calls at once the second one ends the first one's key.
    await lockUser(tx, realmId, userId);
    const user = await findUser(tx, realmId, userId);
    if (!user?.isActive) throw new UserDeactivatedError();
    return { apiKey: await replaceApiKeys(ctx, tx, user) };
  });
}
