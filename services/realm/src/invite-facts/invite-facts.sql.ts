import { onlyRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import { type AllowedDomain, messageShape } from '@parley/shared/proto';
import { REALM_SETTING_DEFAULTS, type RealmSettings, ROLES } from '@parley/shared/values';
import { z } from 'zod';
import { CHOSEN_REALM_SETTINGS } from '../base/chosen-settings';
import { allowedDomainsOf } from '../organization-lists/allowed-domains.sql';

const ADMINISTRATOR_IDS = `select u.id from user_account u
  where u.realm_id = $1 and u.role <= ${ROLES.administrator} and u.is_active and u.system_bot is null order by u.id`;

const LOAD = statement(
  `select r.name, r.subdomain, r.settings, ${allowedDomainsOf('$1')} as domains,
     array(${ADMINISTRATOR_IDS}) as "administratorIds",
     array(select c.id from channel c where c.realm_id = $1 and c.is_default and not c.is_archived order by c.id)
       as "defaultChannelIds"
   from realm r where r.id = $1`,
  {
    name: z.string(),
    subdomain: z.string(),
    settings: CHOSEN_REALM_SETTINGS,
    domains: z.array(messageShape<AllowedDomain>('realm', 'AllowedDomain')),
    // Administrators, bots included, by id.
    administratorIds: z.array(z.number()),
    defaultChannelIds: z.array(z.number()),
  },
);

export interface InvitingOrganization extends RowOf<typeof LOAD> {
  settings: RealmSettings;
}

/** The facts about an organization that decide on invitations. */
export async function loadInvitingOrganization(sql: Sql, realmId: number): Promise<InvitingOrganization> {
  const { settings, ...rest } = onlyRow(await sql.query(LOAD, [realmId]));
  return { ...rest, settings: { ...REALM_SETTING_DEFAULTS, ...settings } };
}

const LIST_ADMINISTRATORS = statement(ADMINISTRATOR_IDS, { id: z.number() });

/** Administrators of the organization, bots included, by id. */
export async function listAdministrators(sql: Sql, realmId: number): Promise<number[]> {
  const rows = await sql.query(LIST_ADMINISTRATORS, [realmId]);
  return rows.map(({ id }) => id);
}
