import { AuthenticationFailedError, PasswordAuthDisabledError, RateLimitHitError } from '@parley/shared/errors';
import type { FetchApiKeyRequest, FetchedApiKey } from '@parley/shared/proto';
import type { Context } from '../context';
import { findSignInAccount } from './find-sign-in-account';
import { signIn } from './sign-in';
import { countFailure } from './sign-in-failures.sql';
import { tryPassword } from './try-password';

/** Signs in with a password: one key more for the account, whose earlier keys stay. Failures are counted for the audit log. */
export async function fetchApiKey(
  ctx: Context,
  request: FetchApiKeyRequest,
  clientAddress = '',
): Promise<FetchedApiKey> {
  const { realmId, methods, account } = await findSignInAccount(ctx, request);
  if (!methods.Email) throw new PasswordAuthDisabledError();
  const verdict = await tryPassword(ctx, {
    realmId,
    loginName: request.username,
    address: request.address,
    password: request.password,
    userId: account?.userId ?? null,
    passwordHash: account?.passwordHash ?? null,
  });
  if (account === null || !verdict.isRight) {
    const failure = { realmId, userId: account?.userId ?? 0, address: clientAddress };
    await countFailure(ctx.db, failure, ctx.clock.now());
  }
  if ('retryAfterSecs' in verdict) throw new RateLimitHitError(verdict.retryAfterSecs);
  if (account === null || !verdict.isRight) throw new AuthenticationFailedError();
  return signIn(ctx, account, request.label);
}
