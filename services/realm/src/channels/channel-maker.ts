import { REALM_PERMISSION_SETTINGS, type RealmPermissionName } from '@parley/shared/access';
import type { Actor } from '../actors/actor';
import { mayBy } from '../actors/permissions';
import type { RealmGroupSettings } from '../group-settings/load-realm-group-settings';

/** Who makes or changes a channel, and what the organization lets whom do. */
export interface ChannelMaker {
  actor: Actor;
  rights: RealmGroupSettings;
  /** Whether channels for visitors without an account can be had at all. */
  areWebPublicChannelsEnabled: boolean;
}

/** May they, by a setting of the organization? */
export function mayInOrganization({ actor, rights }: ChannelMaker, name: RealmPermissionName): boolean {
  return mayBy(actor, rights[name], REALM_PERMISSION_SETTINGS[name]);
}
