import type { RealmPermissionName, SystemGroupName } from '@parley/shared/access';
import type { GroupSetting, RegisterState } from '@parley/shared/proto';
import { z } from 'zod';

/** What older clients understood of who may make channels: a number for each role. */
const CREATE_POLICIES: Partial<Record<SystemGroupName, number>> = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
  'role:nobody': 6,
  'role:owners': 7,
};
const ADMINISTRATORS_CREATE = 2;

/** And of who may mention everybody at once: other numbers. */
const MENTION_POLICIES: Partial<Record<SystemGroupName, number>> = {
  'role:everyone': 1,
  'role:members': 2,
  'role:fullmembers': 3,
  'role:administrators': 5,
  'role:nobody': 6,
  'role:moderators': 7,
};
const ADMINISTRATORS_MENTION = 5;

const policy = z.int().describe('Deprecated: derived from the permission that has taken its place.');

/** Permissions as older clients know them. */
export const permissionMirrorFields = {
  realm_create_public_stream_policy: policy,
  realm_create_private_stream_policy: policy,
  realm_create_web_public_stream_policy: policy,
  realm_wildcard_mention_policy: policy,
};

/** The closest number for each; where none fits, because other groups are allowed to, the one for administrators. */
export function permissionMirrors({ realmGroupSettings, systemGroupIds }: RegisterState) {
  const settings = realmGroupSettings as Record<RealmPermissionName, GroupSetting>;
  const names = new Map(Object.entries(systemGroupIds).map(([name, id]) => [id, name]));
  const groupOf = (name: RealmPermissionName) => names.get(settings[name].groupId ?? 0) as SystemGroupName;
  const createPolicy = (name: RealmPermissionName) => CREATE_POLICIES[groupOf(name)] ?? ADMINISTRATORS_CREATE;
  return {
    realm_create_public_stream_policy: createPolicy('can_create_public_channel_group'),
    realm_create_private_stream_policy: createPolicy('can_create_private_channel_group'),
    realm_create_web_public_stream_policy: createPolicy('can_create_web_public_channel_group'),
    realm_wildcard_mention_policy: MENTION_POLICIES[groupOf('can_mention_many_users_group')] ?? ADMINISTRATORS_MENTION,
  };
}
