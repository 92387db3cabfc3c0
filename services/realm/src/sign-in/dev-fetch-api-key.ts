import { AuthenticationFailedError } from '@parley/shared/errors';
import type { DevFetchApiKeyRequest, FetchedApiKey } from '@parley/shared/proto';
import type { Context } from '../context';
import { findSignInAccount } from './find-sign-in-account';
import { signIn } from './sign-in';

/** Signs in without a password. The gateway calls it on development servers only. */
export async function devFetchApiKey(ctx: Context, request: DevFetchApiKeyRequest): Promise<FetchedApiKey> {
  const { methods, account } = await findSignInAccount(ctx, request);
  if (account === null || !methods.Dev) throw new AuthenticationFailedError();
  return signIn(ctx, account, request.label);
}
