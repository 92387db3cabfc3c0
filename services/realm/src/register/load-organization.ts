import type { GroupSetting, Organization, RegisterState } from '@parley/shared/proto';
import { realmSettingsOf } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import type { Context } from '../context';
import { loadRealmGroupSettings, type RealmGroupSettings } from '../group-settings/load-realm-group-settings';
import { ownRights } from '../realms/own-rights';
import { findRealm, findRealmUuid } from '../realms/realms.sql';

/** The organization itself. */
export interface OrganizationFacts {
  realm: Organization;
  permissions: RealmGroupSettings;
  uuid: string;
}

export async function loadOrganization(ctx: Context, realmId: number): Promise<OrganizationFacts> {
  const [realm, permissions, uuid] = await Promise.all([
    findRealm(ctx.db, realmId),
    loadRealmGroupSettings(ctx.db, realmId),
    findRealmUuid(ctx.prisma, realmId),
  ]);
  return { realm: realm as Organization, permissions, uuid: uuid as string };
}

type OrganizationState = Pick<RegisterState, 'realm' | 'realmGroupSettings' | 'realmUuid' | 'ownRights'>;

/** What POST /register tells of the organization itself, and of what its permissions come to for the caller. */
export function organizationState(
  { config }: Context,
  { realm, permissions, uuid }: OrganizationFacts,
  actor: Actor,
): OrganizationState {
  const { enable_spectator_access: areVisitorsAdmitted } = realmSettingsOf(realm);
  const areWebPublicChannelsEnabled = areVisitorsAdmitted && config.WEB_PUBLIC_STREAMS_ENABLED;
  return {
    realm,
    realmGroupSettings: permissions as Record<string, GroupSetting>,
    realmUuid: uuid,
    ownRights: ownRights(actor, permissions, areWebPublicChannelsEnabled),
  };
}
