import { UserDeactivatedError } from '@parley/shared/errors';
import type { FetchedApiKey } from '@parley/shared/proto';
import { truncate } from '@parley/shared/values';
import { issueApiKey } from '../api-keys/issue-api-key';
import type { Context } from '../context';
import type { SignInAccount } from './accounts.sql';

const MAX_LABEL_LENGTH = 100;

/** Gives a key to whoever has proved to be the account's holder; only they are told that it is deactivated. */
export async function signIn(ctx: Context, account: SignInAccount, label: string): Promise<FetchedApiKey> {
  const { realmId, userId, deliveryEmail, isActive } = account;
  if (!isActive) throw new UserDeactivatedError();
  const createdAtMs = ctx.clock.now();
  const key = { realmId, userId, createdAtMs, label: truncate(label, MAX_LABEL_LENGTH, '…') };
  const apiKey = await ctx.db.transaction((tx) => issueApiKey(tx, key));
  return { apiKey, deliveryEmail, userId };
}
