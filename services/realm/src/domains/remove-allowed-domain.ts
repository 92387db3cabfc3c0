import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { allowedDomainRemoved, type DomainEvent, realmPropertyChanged } from '@parley/shared/events';
import type { RemoveAllowedDomainRequest, RemoveAllowedDomainResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireOwner } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { loadRealmSettings, storeRealmSettings } from '../realms/realm-settings.sql';
import { deleteAllowedDomain, listAllowedDomainsOf } from './allowed-domains.sql';
import { findAllowedDomain } from './find-allowed-domain';

export async function removeAllowedDomain(
  ctx: Context,
  caller: Caller,
  request: RemoveAllowedDomainRequest,
): Promise<RemoveAllowedDomainResponse> {
  return changeOrganization(ctx, caller, requireOwner, async (tx, { realmId }) => {
    const domains = await listAllowedDomainsOf(tx, realmId);
    const { id, domain } = findAllowedDomain(domains, request.domain);
    const others = domains.filter((other) => other.id !== id);
    await deleteAllowedDomain(tx, realmId, id);
    const lifted = others.length > 0 ? [] : await liftRestriction(tx, realmId);
    await announce(tx, allowedDomainRemoved(realmId, { domain }), ...lifted);
    return {};
  });
}

/** Where no domain is left nobody could join any more; returns what is to be announced. */
async function liftRestriction(tx: Transaction, realmId: number): Promise<DomainEvent[]> {
  const { emails_restricted_to_domains: isRestricted } = await loadRealmSettings(tx, realmId);
  if (!isRestricted) return [];
  await storeRealmSettings(tx, realmId, { emails_restricted_to_domains: false });
  return [realmPropertyChanged(realmId, { name: 'emails_restricted_to_domains', value: false })];
}
