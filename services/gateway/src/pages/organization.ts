import { PublicError, RealmDeactivatedError } from '@parley/shared/errors';
import type { Organization } from '@parley/shared/proto';
import { realmSettingsOf } from '@parley/shared/values';
import type { Context } from '../context';
import type { Exchange } from '../http/exchange';

/** The addressed organization. Throws if there is none, and if it is deactivated: its pages say so. */
export async function openOrganization(ctx: Context, exchange: Exchange): Promise<Organization> {
  const { req, call } = exchange;
  const subdomain = ctx.findSubdomain(req.headers.host);
  const organization = await ctx.services.realm.getRealm(call, { subdomain });
  exchange.organizationLanguage = realmSettingsOf(organization).default_language;
  if (organization.isDeactivated) throw new RealmDeactivatedError();
  return organization;
}

/** The same; null if there is none. */
export async function findOrganization(ctx: Context, exchange: Exchange): Promise<Organization | null> {
  return orNull(openOrganization(ctx, exchange));
}

/** The organization of a subdomain, deactivated or not; null if there is none. */
export async function orNull(asked: Promise<Organization>): Promise<Organization | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PublicError && error.code === 'NONEXISTENT_SUBDOMAIN') return null;
    throw error;
  }
}
