import { byCaller, type Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { changeGroupMembers, changeSubgroups } from '../groups/change-membership';
import { createGroup } from '../groups/create-group';
import { getGroupMembers, getSubgroups, isGroupMember, listGroups } from '../groups/list-groups';
import { deactivateGroup, updateGroup } from '../groups/update-group';

/** User groups. */
export function groupMethods(ctx: Context) {
  return {
    listGroups: byCaller((caller, request) => listGroups(ctx, caller, request)),
    createGroup: byCaller((caller, request) => createGroup(ctx, caller, request)),
    updateGroup: byCaller((caller, request) => updateGroup(ctx, caller, request)),
    deactivateGroup: byCaller((caller, request) => deactivateGroup(ctx, caller, request)),
    getGroupMembers: byCaller((caller, request) => getGroupMembers(ctx, caller, request)),
    isGroupMember: byCaller((caller, request) => isGroupMember(ctx, caller, request)),
    changeGroupMembers: byCaller((caller, request) => changeGroupMembers(ctx, caller, request)),
    getSubgroups: byCaller((caller, request) => getSubgroups(ctx, caller, request)),
    changeSubgroups: byCaller((caller, request) => changeSubgroups(ctx, caller, request)),
  } satisfies Partial<Implementation<'realm'>>;
}
