import type { RealmPermissionName } from '@parley/shared/access';
import type { GroupSetting, RegisterState } from '@parley/shared/proto';
import { formerPolicies } from '@parley/shared/wire';
import { z } from 'zod';

const policy = z.int().describe('Deprecated: derived from the permission that has taken its place.');

/** Permissions as older clients know them. */
export const permissionMirrorFields = {
  realm_create_public_stream_policy: policy,
  realm_create_private_stream_policy: policy,
  realm_create_web_public_stream_policy: policy,
  realm_wildcard_mention_policy: policy,
};

/** As events name them, with the prefix that they have here. */
export function permissionMirrors({ realmGroupSettings, systemGroupIds }: RegisterState) {
  const policies = formerPolicies(realmGroupSettings as Record<RealmPermissionName, GroupSetting>, systemGroupIds);
  return {
    realm_create_public_stream_policy: policies.create_public_stream_policy,
    realm_create_private_stream_policy: policies.create_private_stream_policy,
    realm_create_web_public_stream_policy: policies.create_web_public_stream_policy,
    realm_wildcard_mention_policy: policies.wildcard_mention_policy,
  };
}
