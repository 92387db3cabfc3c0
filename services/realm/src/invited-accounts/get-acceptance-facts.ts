import { RealmDeactivatedError } from '@parley/shared/errors';
import type { AcceptanceFacts, GetAcceptanceFactsRequest } from '@parley/shared/proto';
import { USER_SETTING_DEFAULTS } from '@parley/shared/values';
import type { Context } from '../context';
import { addressFacts } from '../invite-facts/address-facts';
import { loadInvitingOrganization } from '../invite-facts/invite-facts.sql';
import { findSettingsDefaults } from '../user-settings/user-settings.sql';
import { isRealmDeactivated } from './invited-accounts.sql';

/** What somebody is told before they accept an invitation, and whether their address will do. */
export async function getAcceptanceFacts(
  { db }: Context,
  { realmId, emails }: GetAcceptanceFactsRequest,
): Promise<AcceptanceFacts> {
  if (await isRealmDeactivated(db, realmId)) throw new RealmDeactivatedError();
  const organization = await loadInvitingOrganization(db, realmId);
  const chosen = await findSettingsDefaults(db, realmId);
  return {
    organizationName: organization.name,
    subdomain: organization.subdomain,
    addresses: await addressFacts(db, realmId, organization, emails),
    emailAddressVisibility: Number(chosen.email_address_visibility ?? USER_SETTING_DEFAULTS.email_address_visibility),
    isPasswordNeeded: organization.settings.authentication_methods.Email === true,
  };
}
