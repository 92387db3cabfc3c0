import { announce } from '@parley/shared/bus';
import { allowedDomainChanged } from '@parley/shared/events';
import type { UpdateAllowedDomainRequest, UpdateAllowedDomainResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireOwner } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { listAllowedDomainsOf, storeAllowedDomain } from './allowed-domains.sql';
import { findAllowedDomain } from './find-allowed-domain';

/** Says whether subdomains of an allowed domain are allowed, too. */
export async function updateAllowedDomain(
  ctx: Context,
  caller: Caller,
  request: UpdateAllowedDomainRequest,
): Promise<UpdateAllowedDomainResponse> {
  return changeOrganization(ctx, caller, requireOwner, async (tx, { realmId }) => {
    const { id, domain, allowsSubdomains } = findAllowedDomain(await listAllowedDomainsOf(tx, realmId), request.domain);
    if (allowsSubdomains === request.allowsSubdomains) return {};
    const changed = { domain, allowsSubdomains: request.allowsSubdomains };
    await storeAllowedDomain(tx, realmId, { id, ...changed });
    await announce(tx, allowedDomainChanged(realmId, changed));
    return {};
  });
}
