import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { allowedDomainAdded } from '@parley/shared/events';
import type { AddAllowedDomainRequest, AllowedDomain } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireOwner } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { insertAllowedDomain, listAllowedDomainsOf } from './allowed-domains.sql';
import { domainFromInput } from './domain-from-input';

const MAX_DOMAINS = 500;

export async function addAllowedDomain(
  ctx: Context,
  caller: Caller,
  request: AddAllowedDomainRequest,
): Promise<AllowedDomain> {
  return changeOrganization(ctx, caller, requireOwner, async (tx, { realmId }) => {
    const added = { domain: domainFromInput(request.domain), allowsSubdomains: request.allowsSubdomains };
    const domains = await listAllowedDomainsOf(tx, realmId);
    if (domains.some(({ domain }) => domain === added.domain)) {
      throw new BadRequestError(`The domain ${added.domain} is already a part of your organization.`);
    }
    if (domains.length >= MAX_DOMAINS) throw new BadRequestError(`Too many domains (limit: ${MAX_DOMAINS})`);
    const id = await insertAllowedDomain(tx, realmId, added);
    await announce(tx, allowedDomainAdded(realmId, added));
    return { id, ...added };
  });
}
