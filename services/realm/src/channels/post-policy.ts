import type { SystemGroupName } from '@parley/shared/access';
import { BadRequestError } from '@parley/shared/errors';
import type { GroupSetting } from '@parley/shared/proto';
import type { SystemGroupIds } from '../group-settings/complete-settings';
import { namedGroup } from '../group-settings/group-setting';

// What old clients say and are told in place of can_send_message_group.
const POST_POLICIES: Readonly<Record<number, SystemGroupName>> = {
  1: 'role:everyone',
  2: 'role:administrators',
  3: 'role:fullmembers',
  4: 'role:moderators',
};
const EVERYONE_MAY_POST = 1;

/** The number for a value; of what has none, that everyone may post. */
export function postPolicyOf({ groupId }: GroupSetting, systemGroupIds: SystemGroupIds): number {
  const found = Object.entries(POST_POLICIES).find(([, name]) => systemGroupIds[name] === groupId);
  return found === undefined ? EVERYONE_MAY_POST : Number(found[0]);
}

/** The value for a number. */
export function groupOfPostPolicy(policy: number, systemGroupIds: SystemGroupIds): GroupSetting {
  const name = POST_POLICIES[policy];
  if (name === undefined) throw new BadRequestError('Invalid stream_post_policy');
  return namedGroup(systemGroupIds[name]);
}
