import type { GroupSetting, Organization, RegisterState } from '@parley/shared/proto';
import { realmSettingsOf } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import type { Context } from '../context';
import { loadRealmGroupSettings } from '../group-settings/load-realm-group-settings';
import { ownRights } from '../realms/own-rights';
import { findRealm, findRealmUuid } from '../realms/realms.sql';

type OrganizationState = Pick<RegisterState, 'realm' | 'realmGroupSettings' | 'realmUuid' | 'ownRights'>;

/** What POST /register tells of the organization itself, and of what its permissions come to for the caller. */
export async function loadOrganization(ctx: Context, actor: Actor): Promise<OrganizationState> {
  const { realmId } = actor.user;
  const [realm, permissions, uuid] = await Promise.all([
    findRealm(ctx.db, realmId),
    loadRealmGroupSettings(ctx.db, realmId),
    findRealmUuid(ctx.prisma, realmId),
  ]);
  const { enable_spectator_access: areVisitorsAdmitted } = realmSettingsOf(realm as Organization);
  const areWebPublicChannelsEnabled = areVisitorsAdmitted && ctx.config.WEB_PUBLIC_STREAMS_ENABLED;
  return {
    realm,
    realmGroupSettings: permissions as Record<string, GroupSetting>,
    realmUuid: uuid as string,
    ownRights: ownRights(actor, permissions, areWebPublicChannelsEnabled),
  };
}
