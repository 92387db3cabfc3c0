import type { CreateGroupRequest, GroupSetting, GroupSummary } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../src/context';
import { createGroup } from '../src/groups/create-group';
import { listGroups } from '../src/groups/list-groups';

export const someone = (...directMemberIds: number[]): GroupSetting => ({ directMemberIds, directSubgroupIds: [] });

/** Creates a group with the endpoint's defaults; description and settings are optional. */
export async function makeGroup(ctx: Context, caller: Caller, wanted: Partial<CreateGroupRequest> & { name: string }) {
  const request = { description: '', memberIds: [], subgroupIds: [], settings: {}, ...wanted };
  return (await createGroup(ctx, caller, request)).groupId;
}

/** The group as everybody sees it, active or not. */
export async function groupOf(ctx: Context, caller: Caller, groupId: number): Promise<GroupSummary> {
  const { groups } = await listGroups(ctx, caller, { includesDeactivated: true });
  const group = groups.find(({ id }) => id === groupId);
  if (!group) throw new Error(`there is no group ${groupId}`);
  return group;
}

/** The organization's group of that name. */
export async function groupIdOf(ctx: Context, caller: Caller, name: string): Promise<number> {
  const { groups } = await listGroups(ctx, caller, { includesDeactivated: true });
  const group = groups.find((candidate) => candidate.name === name);
  if (!group) throw new Error(`there is no group ${name}`);
  return group.id;
}
