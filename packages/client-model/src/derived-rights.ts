import { REALM_PERMISSION_SETTINGS, type RealmPermissionName } from '@parley/shared/access';
import { type Item, listOf, type State } from './state';

type Value = number | { direct_members: number[]; direct_subgroups: number[] };

/** Values without an event, because they derive from permissions, groups and roles: clients compute them when needed. */
export function deriveRights(state: State): void {
  const mayCreate = {
    can_create_public_streams: may(state, 'can_create_public_channel_group'),
    can_create_private_streams: may(state, 'can_create_private_channel_group'),
    can_create_web_public_streams:
      state['server_web_public_streams_enabled'] === true &&
      state['realm_enable_spectator_access'] === true &&
      may(state, 'can_create_web_public_channel_group'),
  };
  Object.assign(state, mayCreate, {
    can_create_streams: Object.values(mayCreate).some((isAllowed) => isAllowed),
    can_subscribe_other_users: may(state, 'can_add_subscribers_group'),
    can_invite_others_to_realm: may(state, 'can_invite_users_group'),
  });
}

function may(state: State, name: RealmPermissionName): boolean {
  if (state['is_guest'] === true && !REALM_PERMISSION_SETTINGS[name].allowsEveryone) return false;
  const value = state[`realm_${name}`] as Value;
  if (typeof value === 'number') return isInGroup(state, value);
  const { direct_members: memberIds, direct_subgroups: groupIds } = value;
  return memberIds.includes(state['user_id'] as number) || groupIds.some((id) => isInGroup(state, id));
}

function isInGroup(state: State, groupId: number): boolean {
  const group = groupOf(state, groupId);
  if ((group?.['members'] as number[] | undefined)?.includes(state['user_id'] as number)) return true;
  return ((group?.['direct_subgroup_ids'] ?? []) as number[]).some((id) => isInGroup(state, id));
}

function groupOf(state: State, groupId: unknown): Item | undefined {
  return listOf(state, 'realm_user_groups').find(({ id }) => id === groupId);
}
