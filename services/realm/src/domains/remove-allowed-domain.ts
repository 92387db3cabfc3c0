import { announce } from '@parley/shared/bus';
import { allowedDomainRemoved } from '@parley/shared/events';
import type { RemoveAllowedDomainRequest, RemoveAllowedDomainResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireOwner } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { deleteAllowedDomain, listAllowedDomainsOf } from './allowed-domains.sql';
import { findAllowedDomain } from './find-allowed-domain';

export async function removeAllowedDomain(
  ctx: Context,
  caller: Caller,
  request: RemoveAllowedDomainRequest,
): Promise<RemoveAllowedDomainResponse> {
  return changeOrganization(ctx, caller, requireOwner, async (tx, { realmId }) => {
    const { id, domain } = findAllowedDomain(await listAllowedDomainsOf(tx, realmId), request.domain);
    await deleteAllowedDomain(tx, realmId, id);
    await announce(tx, allowedDomainRemoved(realmId, { domain }));
    return {};
  });
}
