import { BadRequestError } from '@parley/shared/errors';
import type { ForgetOidcIdentitiesRequest, ForgetOidcIdentitiesResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { requireOwner } from '../base/guards';
import { possibleIds } from '../base/possible-values';
import type { Context } from '../context';
import { changeOrganization } from '../organization/change-organization';
import { listOwnProviderKeys } from './oidc.sql';
import { endProviderKeys } from './providers';

/**
 * Forgets who an account's holder is at sign-in providers, and ends the sessions and keys made through these: when somebody else was linked, or
 * the holder has got another identity there. The next sign-in with the account's address is linked. For owners.
 */
export async function forgetOidcIdentities(
  ctx: Context,
  caller: Caller,
  request: ForgetOidcIdentitiesRequest,
): Promise<ForgetOidcIdentitiesResponse> {
  return changeOrganization(ctx, caller, requireOwner, async (tx, { realmId }, prisma) => {
    const [userId = 0] = possibleIds([request.userId]);
    const { count } = await prisma.oidcIdentity.deleteMany({ where: { realmId, userId } });
    if (count === 0) throw new BadRequestError('No sign-in provider opens this account.');
    const keyIds = await listOwnProviderKeys(tx, realmId, userId);
    if (keyIds.length > 0) await endProviderKeys(tx, realmId, [{ userId, keyIds }], ctx.clock.now());
    return { count };
  });
}
