import { REALM_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { Sql } from '@parley/shared/db';
import type { GroupSetting, Organization, RegisterState } from '@parley/shared/proto';
import { realmSettingsOf } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import type { Context } from '../context';
import { completeSettings, type SystemGroupIds } from '../group-settings/complete-settings';
import { findRealmSettings, findSystemGroupIds } from '../group-settings/group-settings.sql';
import type { RealmGroupSettings } from '../group-settings/load-realm-group-settings';
import { ownRights } from '../realms/own-rights';
import { findRealm, findRealmUuid } from '../realms/realms.sql';

/** The organization itself. */
export interface OrganizationFacts {
  realm: Organization;
  permissions: RealmGroupSettings;
  systemGroupIds: SystemGroupIds;
  uuid: string;
}

export async function loadOrganization(sql: Sql, realmId: number): Promise<OrganizationFacts> {
  const [realm, stored, systemGroupIds, uuid] = await Promise.all([
    findRealm(sql, realmId),
    findRealmSettings(sql, realmId),
    findSystemGroupIds(sql, realmId),
    findRealmUuid(sql, realmId),
  ]);
  const permissions = completeSettings(REALM_PERMISSION_SETTINGS, stored, { creatorId: null, systemGroupIds });
  return { realm: realm as Organization, permissions, systemGroupIds, uuid: uuid as string };
}

type OrganizationState = Pick<
  RegisterState,
  'realm' | 'realmGroupSettings' | 'systemGroupIds' | 'realmUuid' | 'ownRights'
>;

/** What POST /register tells of the organization itself, and of what its permissions come to for the caller. */
export function organizationState(
  { config }: Context,
  { realm, permissions, systemGroupIds, uuid }: OrganizationFacts,
  actor: Actor,
): OrganizationState {
  const { enable_spectator_access: areVisitorsAdmitted } = realmSettingsOf(realm);
  const areWebPublicChannelsEnabled = areVisitorsAdmitted && config.WEB_PUBLIC_STREAMS_ENABLED;
  return {
    realm,
    realmGroupSettings: permissions as Record<string, GroupSetting>,
    systemGroupIds,
    realmUuid: uuid,
    ownRights: ownRights(actor, permissions, areWebPublicChannelsEnabled),
  };
}
