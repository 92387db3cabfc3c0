import { REALM_PERMISSION_SETTINGS, type RealmPermissionName } from '@parley/shared/access';
import type { OwnRights } from '@parley/shared/proto';
import type { Actor } from '../actors/actor';
import { mayBy } from '../actors/permissions';
import type { RealmGroupSettings } from '../group-settings/complete-settings';

/** The user's permissions in the organization, as clients show them. */
export function ownRights(
  actor: Actor,
  permissions: RealmGroupSettings,
  areWebPublicChannelsEnabled: boolean,
): OwnRights {
  const may = (name: RealmPermissionName) => mayBy(actor, permissions[name], REALM_PERMISSION_SETTINGS[name]);
  return {
    mayCreatePublicChannels: may('can_create_public_channel_group'),
    mayCreatePrivateChannels: may('can_create_private_channel_group'),
    mayCreateWebPublicChannels: areWebPublicChannelsEnabled && may('can_create_web_public_channel_group'),
    maySubscribeOthers: may('can_add_subscribers_group'),
    mayInviteOthers: may('can_invite_users_group'),
  };
}
