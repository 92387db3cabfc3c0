import { BadRequestError } from '@parley/shared/errors';
import type { RenameRealmRequest, RenameRealmResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { subdomainTaken } from '../realms/create-realm';
import { getRealm } from '../realms/get-realm';
import { SUBDOMAIN_IS_UNIQUE } from '../realms/realms.sql';
import { subdomainFromInput } from '../realms/subdomain';
import { isUniqueViolation } from '../unique-violation';
import { storeSubdomain } from './operator.sql';

/** Gives an organization another subdomain. For the operator's command. */
// NOTE: clients are at an address that is nobody's any more, so there is nothing that they could be told.
export async function renameRealm(
  ctx: Context,
  { subdomain, newSubdomain }: RenameRealmRequest,
): Promise<RenameRealmResponse> {
  const wanted = subdomainFromInput(newSubdomain);
  const { id: realmId } = await getRealm(ctx, { subdomain });
  if (wanted === subdomain) throw new BadRequestError('This is its subdomain already');
  try {
    await ctx.db.transaction((tx) => storeSubdomain(tx, realmId, wanted));
  } catch (error) {
    throw isUniqueViolation(error, SUBDOMAIN_IS_UNIQUE) ? subdomainTaken() : error;
  }
  return { realmId };
}
