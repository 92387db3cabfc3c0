import { GROUP_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type {
  GetGroupMembersRequest,
  GetGroupMembersResponse,
  GetSubgroupsRequest,
  GetSubgroupsResponse,
  GroupSummary,
  IsGroupMemberRequest,
  IsGroupMemberResponse,
  ListGroupsRequest,
  ListGroupsResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { loadActor } from '../actors/actor';
import { isInGroup } from '../actors/permissions';
import { requireMember } from '../base/guards';
import { possibleIds } from '../base/possible-values';
import type { Context } from '../context';
import { completeSettings, type SystemGroupIds, settingsOfNobody } from '../group-settings/complete-settings';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { groupsInside } from '../membership/group-graph';
import { listAllMemberIds, listGroupLinks } from '../membership/group-members.sql';
import { accessActivePerson } from '../people/find-user';
import { type GroupRow, hasNamedGroup, selectGroups } from './groups.sql';

/** The organization's groups, system groups included, by id. */
export async function listGroups(
  ctx: Context,
  caller: Caller,
  { includesDeactivated }: ListGroupsRequest,
): Promise<ListGroupsResponse> {
  const nowMs = ctx.clock.now();
  requireMember((await loadActor(ctx.db, caller, nowMs)).user);
  const groups = toGroups(await selectGroups(ctx.db, caller.realmId, nowMs));
  return { groups: groups.filter(({ isDeactivated }) => includesDeactivated || !isDeactivated) };
}

/** Active members of a group, by id; by default including those of subgroups. */
export async function getGroupMembers(
  ctx: Context,
  caller: Caller,
  { groupId, isDirectOnly }: GetGroupMembersRequest,
): Promise<GetGroupMembersResponse> {
  const nowMs = ctx.clock.now();
  requireMember((await loadActor(ctx.db, caller, nowMs)).user);
  const { realmId } = caller;
  if (isDirectOnly) return { memberIds: (await accessGroup(ctx.db, realmId, groupId, nowMs)).memberIds };
  await requireGroup(ctx.db, realmId, groupId);
  return { memberIds: await listAllMemberIds(ctx.db, realmId, groupId, nowMs) };
}

/** The subgroups of a group, by id; by default at any depth. */
export async function getSubgroups(
  ctx: Context,
  caller: Caller,
  { groupId, isDirectOnly }: GetSubgroupsRequest,
): Promise<GetSubgroupsResponse> {
  const nowMs = ctx.clock.now();
  requireMember((await loadActor(ctx.db, caller, nowMs)).user);
  const { realmId } = caller;
  if (isDirectOnly) return { subgroupIds: (await accessGroup(ctx.db, realmId, groupId, nowMs)).directSubgroupIds };
  await requireGroup(ctx.db, realmId, groupId);
  const inside = groupsInside(await listGroupLinks(ctx.db, realmId), [groupId]);
  return { subgroupIds: [...inside].sort((a, b) => a - b) };
}

/** Whether a person is in a group; by default also through subgroups. */
export async function isGroupMember(
  ctx: Context,
  caller: Caller,
  { groupId, userId, isDirectOnly }: IsGroupMemberRequest,
): Promise<IsGroupMemberResponse> {
  const { realmId } = caller;
  const nowMs = ctx.clock.now();
  requireMember((await loadActor(ctx.db, caller, nowMs)).user);
  await requireGroup(ctx.db, realmId, groupId);
  const person = await accessActivePerson(ctx, caller, userId);
  if (!isDirectOnly) return { isMember: isInGroup(await loadActor(ctx.db, { realmId, userId }, nowMs), groupId) };
  const { memberIds } = await accessGroup(ctx.db, realmId, groupId, nowMs);
  return { isMember: memberIds.includes(person.id) };
}

/** Throws if there is no named group, active or not, with that id. */
async function requireGroup(sql: Sql, realmId: number, groupId: number): Promise<void> {
  const [id] = possibleIds([groupId]);
  if (id === undefined || !(await hasNamedGroup(sql, realmId, id))) throw new BadRequestError(REFUSAL.groups.unknown);
}

/** The named group, active or not, with its present settings and members. */
export async function accessGroup(sql: Sql, realmId: number, groupId: number, nowMs: number): Promise<GroupSummary> {
  const [row] = await selectGroups(sql, realmId, nowMs, possibleIds([groupId]));
  if (!row) throw new BadRequestError(REFUSAL.groups.unknown);
  return toGroup(row, await findSystemGroupIds(sql, realmId));
}

/** A group with all of its settings. */
export function toGroup(row: GroupRow, systemGroupIds: SystemGroupIds): GroupSummary {
  const { creatorId, isCreatorActive, settings, ...group } = row;
  const owner = { creatorId: isCreatorActive ? creatorId : null, systemGroupIds };
  return {
    ...group,
    ...(creatorId !== null && { creatorId }),
    settings: group.isSystem
      ? settingsOfNobody(GROUP_PERMISSION_SETTINGS, systemGroupIds)
      : completeSettings(GROUP_PERMISSION_SETTINGS, settings ?? {}, owner),
  };
}

/** All groups of an organization with all of their settings. */
export function toGroups(rows: readonly GroupRow[]): GroupSummary[] {
  const systemGroups = rows.filter(({ isSystem }) => isSystem).map(({ name, id }) => [name, id]);
  const systemGroupIds: SystemGroupIds = Object.fromEntries(systemGroups);
  return rows.map((row) => toGroup(row, systemGroupIds));
}
