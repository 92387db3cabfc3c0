import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import {
  type DomainEvent,
  groupMembersAdded,
  groupMembersRemoved,
  subgroupsAdded,
  subgroupsRemoved,
} from '@parley/shared/events';
import { silentGroupMention, silentMention } from '@parley/shared/notice-text';
import type {
  ChangeGroupMembersRequest,
  ChangeGroupMembersResponse,
  ChangeSubgroupsRequest,
  ChangeSubgroupsResponse,
  GroupSummary,
  User,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { watchVisibility } from '../channel-access/channel-visibility';
import { lockChannelsSeenThrough } from '../channel-access/channel-visibility.sql';
import type { Context } from '../context';
import {
  deleteMembers,
  deleteSubgroups,
  insertMembers,
  insertSubgroups,
  listGroupLinks,
} from '../membership/group-members.sql';
import { announceNotice, type Notice } from '../notices/announce-notice';
import { findGroupContent } from './group-input';
import { type MembershipChange, planMembership } from './plan-membership';
import { changeGroup } from './update-group';

const NOTHING_TO_DO = 'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".';

/** Adds users and groups to a group, or removes them. */
export async function changeGroupMembers(
  ctx: Context,
  caller: Caller,
  request: ChangeGroupMembersRequest,
): Promise<ChangeGroupMembersResponse> {
  await changeMembership(ctx, caller, { ...request, nothingToDo: NOTHING_TO_DO });
  return {};
}

const NO_SUBGROUPS_NAMED = 'Nothing to do. Specify at least one of "add" or "delete".';

/** Adds subgroups to a group, or removes them. */
export async function changeSubgroups(
  ctx: Context,
  caller: Caller,
  { groupId, addedIds, removedIds }: ChangeSubgroupsRequest,
): Promise<ChangeSubgroupsResponse> {
  await changeMembership(ctx, caller, {
    groupId,
    addedIds: [],
    removedIds: [],
    addedSubgroupIds: addedIds,
    removedSubgroupIds: removedIds,
    nothingToDo: NO_SUBGROUPS_NAMED,
  });
  return {};
}

/** Adds users and groups to a group, or removes them: all or none. `nothingToDo` refuses an empty request. */
async function changeMembership(
  ctx: Context,
  caller: Caller,
  request: MembershipChange & { groupId: number; nothingToDo: string },
): Promise<void> {
  const { realmId } = caller;
  const checked = { groupId: request.groupId, refuseEmpty: () => requireSomething(request) };
  await changeGroup(ctx, caller, checked, async ({ tx, nowMs, actor, realm, group }) => {
    const userIds = [...request.addedIds, ...request.removedIds];
    const groupIds = [...request.addedSubgroupIds, ...request.removedSubgroupIds];
    const content = await findGroupContent(tx, realmId, userIds, groupIds);
    const links = request.addedSubgroupIds.length === 0 ? [] : await listGroupLinks(tx, realmId);
    const change = planMembership(request, { actor, realm, group, content, links });
    await applyMembership(tx, realmId, group, change, nowMs);
    await announceNotice(tx, realmId, ...membershipNotices(group, change, actor.user, content.activePersonIds));
  });
}

/** Stores a checked change of a group's members and announces it. The caller has locked the organization's row. */
export async function applyMembership(
  tx: Transaction,
  realmId: number,
  group: Pick<GroupSummary, 'id' | 'isDeactivated'>,
  change: MembershipChange,
  nowMs: number,
): Promise<void> {
  const channelIds = await lockChannelsSeenThrough(tx, realmId, group.id);
  const scope = { userIds: whomItConcerns(change), channelIds };
  await watchVisibility(tx, realmId, scope, nowMs, () => store(tx, realmId, group.id, change));
  await announce(tx, ...eventsOf(realmId, group, change));
}

function requireSomething(request: MembershipChange & { nothingToDo: string }): void {
  const { addedIds, removedIds, addedSubgroupIds, removedSubgroupIds } = request;
  const lists = [addedIds, removedIds, addedSubgroupIds, removedSubgroupIds];
  if (lists.every((ids) => ids.length === 0)) throw new BadRequestError(request.nothingToDo);
}

/** Null: all members of the groups. */
function whomItConcerns(change: MembershipChange): number[] | null {
  const isAboutGroups = change.addedSubgroupIds.length + change.removedSubgroupIds.length > 0;
  return isAboutGroups ? null : [...change.addedIds, ...change.removedIds];
}

async function store(tx: Transaction, realmId: number, groupId: number, change: MembershipChange): Promise<void> {
  await insertMembers(tx, realmId, groupId, change.addedIds);
  await deleteMembers(tx, realmId, groupId, change.removedIds);
  await insertSubgroups(tx, realmId, groupId, change.addedSubgroupIds);
  await deleteSubgroups(tx, realmId, groupId, change.removedSubgroupIds);
}

function eventsOf(
  realmId: number,
  { id: groupId, isDeactivated }: Pick<GroupSummary, 'id' | 'isDeactivated'>,
  change: MembershipChange,
): DomainEvent[] {
  const { addedIds, removedIds, addedSubgroupIds, removedSubgroupIds } = change;
  const about = { groupId, isDeactivated };
  return [
    ...(addedIds.length > 0 ? [groupMembersAdded(realmId, { ...about, userIds: addedIds })] : []),
    ...(removedIds.length > 0 ? [groupMembersRemoved(realmId, { ...about, userIds: removedIds })] : []),
    ...(addedSubgroupIds.length > 0 ? [subgroupsAdded(realmId, { ...about, subgroupIds: addedSubgroupIds })] : []),
    ...(removedSubgroupIds.length > 0
      ? [subgroupsRemoved(realmId, { ...about, subgroupIds: removedSubgroupIds })]
      : []),
  ];
}

/** Notifies people whom another user added to a group, or removed. Bots and the actor are skipped. */
function membershipNotices(
  { name }: Pick<GroupSummary, 'name'>,
  { addedIds, removedIds }: Pick<MembershipChange, 'addedIds' | 'removedIds'>,
  actor: Pick<User, 'id' | 'fullName'>,
  activePersonIds: ReadonlySet<number>,
): Notice[] {
  const isNotified = (userId: number) => userId !== actor.id && activePersonIds.has(userId);
  const notice = (userIds: readonly number[], what: string): Notice => ({
    from: 'notification-bot',
    to: { userIds: userIds.filter(isNotified) },
    content: `${silentMention(actor)} ${what} the group ${silentGroupMention(name)}.`,
    readByIds: [],
  });
  return [notice(addedIds, 'added you to'), notice(removedIds, 'removed you from')];
}
