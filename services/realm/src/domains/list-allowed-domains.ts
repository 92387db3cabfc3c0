import type { AllowedDomains } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listAllowedDomainsOf } from './allowed-domains.sql';

/** The domains of the addresses with which people may join, where the organization restricts them. For everybody. */
export async function listAllowedDomains(ctx: Context, { realmId }: Caller): Promise<AllowedDomains> {
  return { domains: await listAllowedDomainsOf(ctx.db, realmId) };
}
