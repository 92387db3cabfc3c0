import { REALM_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { CustomEmoji, User } from '@parley/shared/proto';
import { isAdministrator } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import { mayBy } from '../actors/permissions';
import type { RealmGroupSettings } from '../group-settings/complete-settings';

type EmojiRights = Pick<RealmGroupSettings, 'can_add_custom_emoji_group'>;

/** Whether the actor may add custom emoji. */
export function mayAddEmoji(actor: Actor, { can_add_custom_emoji_group: group }: EmojiRights): boolean {
  return mayBy(actor, group, REALM_PERMISSION_SETTINGS.can_add_custom_emoji_group);
}

/** Whether the user may override a built-in emoji. */
export function mayOverrideBuiltIn({ role }: Pick<User, 'role'>): boolean {
  return isAdministrator(role);
}

/** Whether the user may deactivate the emoji. */
export function mayDeactivateEmoji(
  { authorId }: Pick<CustomEmoji, 'authorId'>,
  { id, role }: Pick<User, 'id' | 'role'>,
): boolean {
  return authorId === id || isAdministrator(role);
}
