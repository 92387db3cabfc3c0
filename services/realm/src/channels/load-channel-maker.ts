import type { Sql } from '@parley/shared/db';
import type { Actor } from '../actors/actor';
import type { Context } from '../context';
import { loadRealmGroupSettings } from '../group-settings/load-realm-group-settings';
import { loadRealmSettings } from '../realms/realm-settings.sql';
import type { ChannelMaker } from './channel-maker';

/** What decides which channels the actor may make, and what of them they may change. */
export async function loadChannelMaker(ctx: Context, sql: Sql, actor: Actor): Promise<ChannelMaker> {
  const { realmId } = actor.user;
  const rights = await loadRealmGroupSettings(sql, realmId);
  const { enable_spectator_access: areVisitorsAdmitted } = await loadRealmSettings(sql, realmId);
  return {
    actor,
    rights,
    areWebPublicChannelsEnabled: ctx.config.WEB_PUBLIC_STREAMS_ENABLED && areVisitorsAdmitted,
  };
}
