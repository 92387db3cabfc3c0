import { GROUP_PERMISSION_SETTINGS, type GroupPermissionName } from '@parley/shared/access';
import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { InsufficientPermissionError } from '@parley/shared/errors';
import { groupCreated } from '@parley/shared/events';
import type { CreateGroupRequest, CreateGroupResponse, GroupSetting } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/actor';
import { requireMember } from '../base/guards';
import { nameKey } from '../base/name-key';
import type { Context } from '../context';
import { setGroupSetting } from '../group-settings/change-group-settings';
import { type GroupSettings, loadRealmGroupSettings } from '../group-settings/complete-settings';
import { readGroupSettings } from '../group-settings/read-group-settings';
import { insertMembers, insertSubgroups } from '../membership/group-members.sql';
import { changeOrganization } from '../organization/change-organization';
import {
  findGroupContent,
  groupDescriptionFromInput,
  newNameFromInput,
  requireUsableGroups,
  requireUsers,
} from './group-input';
import { insertGroup } from './groups.sql';
import { accessGroup } from './list-groups';
import { mayCreateGroups } from './permissions';

/** Creates a user group; its creator is a member only if the request says so. */
export async function createGroup(
  ctx: Context,
  caller: Caller,
  request: CreateGroupRequest,
): Promise<CreateGroupResponse> {
  const { realmId } = caller;
  const nowMs = ctx.clock.now();
  return changeOrganization(ctx, caller, requireMember, async (tx) => {
    await requireCreator(tx, caller, nowMs);
    const wanted = await readRequest(tx, realmId, request);
    const groupId = await storeGroup(tx, caller, wanted, nowMs);
    await announce(tx, groupCreated(realmId, { group: await accessGroup(tx, realmId, groupId, nowMs) }));
    return { groupId };
  });
}

async function requireCreator(tx: Transaction, caller: Caller, nowMs: number): Promise<void> {
  const actor = await loadActor(tx, caller, nowMs);
  const rights = await loadRealmGroupSettings(tx, caller.realmId);
  if (!mayCreateGroups(actor, rights)) throw new InsufficientPermissionError();
}

async function readRequest(tx: Transaction, realmId: number, request: CreateGroupRequest) {
  const name = await newNameFromInput(tx, realmId, request.name);
  const description = groupDescriptionFromInput(request.description);
  const memberIds = [...new Set(request.memberIds)];
  const subgroupIds = [...new Set(request.subgroupIds)];
  const content = await findGroupContent(tx, realmId, memberIds, subgroupIds);
  requireUsers(memberIds, content);
  requireUsableGroups(subgroupIds, content);
  const settings = await readGroupSettings(tx, realmId, GROUP_PERMISSION_SETTINGS, request.settings);
  return { name, description, memberIds, subgroupIds, settings };
}

async function storeGroup(
  tx: Transaction,
  { realmId, userId }: Caller,
  { name, description, memberIds, subgroupIds, settings }: Awaited<ReturnType<typeof readRequest>>,
  nowMs: number,
): Promise<number> {
  const group = { name, nameKey: nameKey(name), description, creatorId: userId, createdAtMs: nowMs };
  const groupId = await insertGroup(tx, realmId, group);
  await insertMembers(tx, realmId, groupId, memberIds);
  await insertSubgroups(tx, realmId, groupId, subgroupIds);
  await setSettingsOfGroup(tx, realmId, groupId, settings, nowMs);
  return groupId;
}

/** Stores values of the group's settings. */
export async function setSettingsOfGroup(
  tx: Transaction,
  realmId: number,
  groupId: number,
  settings: Partial<GroupSettings<GroupPermissionName>>,
  nowMs: number,
): Promise<void> {
  for (const [name, value] of Object.entries(settings) as [GroupPermissionName, GroupSetting][]) {
    await setGroupSetting(tx, realmId, { of: 'group', groupId, name }, value, nowMs);
  }
}
