import { announce } from '@parley/shared/bus';
import { BadRequestError, CannotDeactivateGroupInUseError, InsufficientPermissionError } from '@parley/shared/errors';
import { groupDeactivated } from '@parley/shared/events';
import type { DeactivateGroupRequest, DeactivateGroupResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { changeGroup } from './change-group';
import { type GroupUse, listGroupUses } from './group-uses.sql';
import { lockGroup, updateGroupRow } from './groups.sql';
import { mayManageGroup } from './permissions';

/** Puts a group out of use, unless something depends on it. It keeps its name and members. */
export async function deactivateGroup(
  ctx: Context,
  caller: Caller,
  { groupId }: DeactivateGroupRequest,
): Promise<DeactivateGroupResponse> {
  const { realmId } = caller;
  await changeGroup(ctx, caller, { groupId }, async ({ tx, actor, realm, group }) => {
    if (!mayManageGroup(actor, group, realm)) throw new InsufficientPermissionError();
    if (group.isDeactivated) throw new BadRequestError('User group is deactivated.');
    // NOTE: first the row, then the uses: whoever is giving a right to the group at this moment holds its row.
    await lockGroup(tx, realmId, groupId);
    const uses = await listGroupUses(tx, realmId, groupId);
    if (uses.length > 0) throw new CannotDeactivateGroupInUseError(uses.map(toObjection));
    await updateGroupRow(tx, realmId, groupId, { isDeactivated: true });
    await announce(tx, groupDeactivated(realmId, { groupId }));
  });
  return {};
}

function toObjection(use: GroupUse): Record<string, unknown> {
  if (use.type === 'subgroup') return { type: use.type, supergroup_ids: use.groupIds };
  if (use.type === 'realm') return { type: use.type, settings: use.settings };
  const owner = use.type === 'channel' ? { channel_id: use.id } : { group_id: use.id };
  return { type: use.type, ...owner, settings: use.settings };
}
