import type { Sql } from '@parley/shared/db';
import type { AllowedDomain } from '@parley/shared/proto';
import { REALM_SETTING_DEFAULTS, type RealmSettings, ROLES } from '@parley/shared/values';
import { allowedDomainsOf } from '../domains/allowed-domains.sql';

export interface InvitingOrganization {
  name: string;
  subdomain: string;
  settings: RealmSettings;
  domains: AllowedDomain[];
  /** Who administers it, bots included, by id. */
  administratorIds: number[];
  defaultChannelIds: number[];
}

const ADMINISTRATOR_IDS = `select u.id from user_account u
  where u.realm_id = $1 and u.role <= ${ROLES.administrator} and u.is_active and u.system_bot is null order by u.id`;

/** What of an organization decides on invitations. */
export async function loadInvitingOrganization(sql: Sql, realmId: number): Promise<InvitingOrganization> {
  const [row] = await sql.query<InvitingOrganization>(
    `select r.name, r.subdomain, r.settings, ${allowedDomainsOf('$1')} as domains,
       array(${ADMINISTRATOR_IDS}) as "administratorIds",
       array(select c.id from channel c where c.realm_id = $1 and c.is_default and not c.is_archived order by c.id)
         as "defaultChannelIds"
     from realm r where r.id = $1`,
    [realmId],
  );
  const { settings, ...rest } = row as InvitingOrganization;
  return { ...rest, settings: { ...REALM_SETTING_DEFAULTS, ...settings } };
}

/** Who administers the organization, bots included, by id. */
export async function listAdministrators(sql: Sql, realmId: number): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(ADMINISTRATOR_IDS, [realmId]);
  return rows.map(({ id }) => id);
}
